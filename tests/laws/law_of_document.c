/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "laws.h"

/* ---- L2: write(read(s)) is s ----------------------------------------------------- */

typedef struct {
    GHashTable *omitted;
    GString *pointer; /* where the difference is */
    bool less;        /* values were omitted, so that what is derived is another */
    bool named;
    char *broken;
} GetPut;

static void
is_omitted(const Tree *leaf, const char *below, gpointer data)
{
    GetPut *law = data;
    (void)leaf;
    g_autofree char *pointer = g_strconcat(law->pointer->str, below, NULL);
    law->named = law->named && g_hash_table_contains(law->omitted, pointer);
}

static void
expect_named(const char *pointer, const Tree *before, const Tree *after, gpointer data)
{
    GetPut *law = data;
    if (law->broken != NULL)
        return;
    g_string_assign(law->pointer, pointer);
    if (law->less && is_derived(pointer))
        return;
    law->named = before != NULL;
    if (before != NULL)
        tree_each_leaf(before, is_omitted, law);
    if (law->named)
        return;
    g_autofree char *was = before != NULL ? tree_compact(before) : g_strdup("nothing");
    g_autofree char *is = after != NULL ? tree_compact(after) : g_strdup("nothing");
    law->broken =
        g_strdup_printf("L2: %s was %.200s and came back as %.200s", pointer, was, is);
}

static char *
check_get_put(const Tree *document, const Turn *read, const Turn *written)
{
    g_autoptr(GHashTable) omitted = omitted_leaves(read->outcome->read);
    GetPut law = {.omitted = omitted,
                  .less = g_hash_table_size(omitted) > 0,
                  .pointer = g_string_new(NULL)};
    /* what stands where a value was omitted may be read as more: the open place says so
     */
    g_autoptr(Tree) before = without_open_place(document);
    g_autoptr(Tree) after = without_open_place(written->result);
    tree_differences(law.less ? before : document, law.less ? after : written->result,
                     expect_named, &law);
    g_string_free(law.pointer, TRUE);
    return law.broken;
}

/* ---- all ------------------------------------------------------------------------- */

static char *
check_back(Laws *laws, const Tree *document, const Turn *read)
{
    GBytes *model = read->outcome->text;
    g_autoptr(Turn) written = laws_turn(laws, model, laws->label, STEP_WRITE, NULL);
    if (written->fault != NULL)
        return g_strdup_printf("L4: the model is not written: %s", written->fault);
    char *broken = check_totality(written->outcome->write, read->result, "write");
    if (broken == NULL)
        broken = check_get_put(document, read, written);
    if (broken == NULL)
        broken = check_valid(laws, written->outcome->text, laws->label, false);
    if (broken == NULL)
        broken = check_same_again(laws, model, laws->label, written, STEP_WRITE);
    return broken;
}

char *
law_of_document(Laws *laws, const Tree *document)
{
    guint64 loud = laws->seed % 8 == 3 ? laws->seed : 0;
    g_autoptr(GBytes) text = tree_write(document, loud);
    g_autoptr(Turn) read = laws_turn(laws, text, "opencheckpoint", STEP_READ, NULL);
    if (read->invalid)
        return NULL;
    if (read->fault != NULL)
        return g_strdup_printf("L4: not converted: %s", read->fault);
    if (strcmp(read->outcome->from, laws->label) != 0)
        return NULL; /* a document of another dialect too */
    laws->documents++;
    char *broken = check_totality(read->outcome->read, document, "read");
    if (broken == NULL)
        broken = check_valid(laws, read->outcome->text, "opencheckpoint", true);
    if (broken == NULL)
        broken = check_same_again(laws, text, "opencheckpoint", read, STEP_READ);
    if (broken == NULL)
        broken = check_back(laws, document, read);
    if (broken == NULL)
        broken = check_edits(laws, read);
    if (broken == NULL)
        broken = check_deleted_operations(laws, read);
    return broken;
}
