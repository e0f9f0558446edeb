/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The laws without a carry: nothing is kept beside the result, so what is called mapped
 * must come back from it alone, and all else must be named.
 */
#include <string.h>

#include "generate.h"
#include "laws.h"

static const OcpConvertOptions bare = {.carry_none = true};

/* ---- what is called mapped comes back -------------------------------------------- */

typedef struct {
    GHashTable *mapped;
    GString *pointer;
    GString *missing; /* where the search failed last */
} Return;

static bool gives(Return *law, const Tree *source, const Tree *back);

static bool
gives_at(Return *law, const char *step, const Tree *source, const Tree *back)
{
    gsize length = law->pointer->len;
    tree_pointer_push(law->pointer, step);
    bool ok = gives(law, source, back);
    if (!ok && law->missing->len == 0)
        g_string_assign(law->missing, law->pointer->str);
    g_string_truncate(law->pointer, length);
    return ok;
}

/* In the order of the source; what lies between was made, or shows what was left out.
 */
static bool
gives_elements(Return *law, const Tree *source, const Tree *back)
{
    guint taken = 0;
    for (guint i = 0; i < source->items->len; i++) {
        g_autofree char *step = g_strdup_printf("%u", i);
        bool found = gives_at(law, step, source->items->pdata[i], NULL);
        while (!found && tree_is(back, OCP_ARRAY) && taken < back->items->len) {
            g_string_truncate(law->missing, 0);
            found = gives_at(law, step, source->items->pdata[i],
                             back->items->pdata[taken++]);
        }
        if (!found)
            return false;
        g_string_truncate(law->missing, 0);
    }
    return true;
}

/* True if back has all of source that is called mapped. */
static bool
gives(Return *law, const Tree *source, const Tree *back)
{
    if (tree_is_leaf(source))
        return !g_hash_table_contains(law->mapped, law->pointer->str) ||
               (back != NULL && tree_equal(source, back));
    if (source->kind == OCP_ARRAY)
        return gives_elements(law, source, back);
    bool ok = true;
    for (guint i = 0; ok && i < source->items->len; i++) {
        const char *name = source->names->pdata[i];
        ok = gives_at(law, name, source->items->pdata[i],
                      tree_is(back, OCP_OBJECT) ? tree_get(back, name) : NULL);
    }
    return ok;
}

static char *
check_returned(const Tree *source, const OcpAccount *account, const Tree *back,
               const char *what)
{
    Return law = {.mapped = g_hash_table_new(g_str_hash, g_str_equal),
                  .pointer = g_string_new(NULL),
                  .missing = g_string_new(NULL)};
    for (guint i = 0; i < account->fates->len; i++) {
        const OcpLeaf *leaf = account->fates->pdata[i];
        if (leaf->fate == OCP_FATE_MAPPED)
            g_hash_table_add(law.mapped, leaf->pointer);
    }
    char *broken = NULL;
    if (!gives(&law, source, back))
        broken = g_strdup_printf(
            "L1: %s, without a carry: %s is called mapped and does not come back", what,
            law.missing->str);
    g_hash_table_unref(law.mapped);
    g_string_free(law.pointer, TRUE);
    g_string_free(law.missing, TRUE);
    return broken;
}

/* Nothing can be kept or carried where there is no carry. */
static char *
check_bare_account(const OcpAccount *account, const Tree *source, const char *what)
{
    if (account->counts[OCP_FATE_KEPT] + account->counts[OCP_FATE_CARRIED] > 0)
        return g_strdup_printf("L1: %s, without a carry: something is carried", what);
    return check_totality(account, source, what);
}

/* ---- a document ------------------------------------------------------------------ */

/* Some other dialect than the document's, by the seed. */
static const char *
another(const Laws *laws)
{
    guint count = 0;
    while (generator_labels[count + 1] != NULL)
        count++;
    for (guint64 i = laws->seed;; i++) {
        const char *label = generator_labels[1 + i % count];
        if (strcmp(label, laws->label) != 0)
            return label;
    }
}

/* A route of two steps has an account of its own. */
static char *
check_route(Laws *laws, const Tree *document, GBytes *text)
{
    const char *label = another(laws);
    g_autoptr(Turn) there = laws_turn(laws, text, label, STEP_AGAIN, &bare);
    if (there->fault != NULL)
        return g_strdup_printf("L4: to %s, without a carry: %s", label, there->fault);
    g_autoptr(Turn) back =
        laws_turn(laws, there->outcome->text, laws->label, STEP_AGAIN, &bare);
    if (back->fault != NULL)
        return g_strdup_printf("L4: back from %s, without a carry: %s", label,
                               back->fault);
    char *broken = check_bare_account(there->outcome->route, document, "route");
    if (broken == NULL)
        broken = check_returned(document, there->outcome->route, back->result, label);
    if (broken == NULL && laws->tamper == NULL)
        broken = check_round_trip(laws, text, label, &bare);
    return broken;
}

char *
law_of_bare_document(Laws *laws, const Tree *document)
{
    g_autoptr(GBytes) text = tree_write(document, 0);
    g_autoptr(Turn) read = laws_turn(laws, text, "opencheckpoint", STEP_READ, &bare);
    if (read->invalid)
        return NULL;
    if (read->fault != NULL)
        return g_strdup_printf("L4: not converted: %s", read->fault);
    if (strcmp(read->outcome->from, laws->label) != 0)
        return NULL; /* a document of another dialect too */
    laws->documents++;
    GBytes *model = read->outcome->text;
    g_autoptr(Turn) back = laws_turn(laws, model, laws->label, STEP_WRITE, &bare);
    if (back->fault != NULL)
        return g_strdup_printf("L4: the model is not written: %s", back->fault);
    char *broken = check_bare_account(read->outcome->read, document, "read");
    if (broken == NULL)
        broken = check_valid(laws, model, "opencheckpoint", true);
    if (broken == NULL)
        broken = check_returned(document, read->outcome->read, back->result, "read");
    if (broken == NULL && laws->tamper == NULL)
        broken = check_round_trip(laws, text, "opencheckpoint", &bare);
    if (broken == NULL)
        broken = check_route(laws, document, text);
    return broken;
}

/* ---- a model --------------------------------------------------------------------- */

char *
law_of_bare_model(Laws *laws, const Tree *model)
{
    g_autoptr(GBytes) text = tree_write(model, 0);
    g_autoptr(Turn) written = laws_turn(laws, text, laws->label, STEP_WRITE, &bare);
    if (written->invalid)
        return NULL;
    if (written->fault != NULL)
        return g_strdup_printf("L4: not converted: %s", written->fault);
    laws->documents++;
    g_autoptr(Turn) read =
        laws_turn(laws, written->outcome->text, "opencheckpoint", STEP_READ, &bare);
    if (read->fault != NULL)
        return g_strdup_printf("L4: what was written is not read: %s", read->fault);
    char *broken = check_bare_account(written->outcome->write, model, "write");
    if (broken == NULL)
        broken = check_valid(laws, written->outcome->text, laws->label, true);
    if (broken == NULL)
        broken = check_returned(model, written->outcome->write, read->result, "write");
    if (broken == NULL && laws->tamper == NULL)
        broken = check_round_trip(laws, text, laws->label, &bare);
    return broken;
}
