/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "laws.h"
#include "text/json.h"
#include "value/equal.h"

/* ---- L3: read(write(o)) is o ----------------------------------------------------- */

typedef struct {
    GHashTable *omitted;
    char *broken;
} Exact;

static void
expect_omitted(const char *pointer, const Tree *before, const Tree *after,
               gpointer data)
{
    Exact *law = data;
    if (law->broken != NULL || g_hash_table_contains(law->omitted, pointer))
        return;
    g_autofree char *was = before != NULL ? tree_compact(before) : g_strdup("nothing");
    g_autofree char *is = after != NULL ? tree_compact(after) : g_strdup("nothing");
    law->broken =
        g_strdup_printf("L3: %s was %.200s and came back as %.200s", pointer, was, is);
}

/* A dialect with an open place gives back all that may travel; of the others, and where
 * something may not, every difference is named. */
static char *
check_put_get(Laws *laws, const Tree *model, const Turn *written, const Turn *read)
{
    Exact law = {.omitted = omitted_leaves(written->outcome->write)};
    if (!laws->open || g_hash_table_size(law.omitted) > 0) {
        g_hash_table_unref(law.omitted);
        return check_back_again(model, written, read, "L3", false);
    }
    tree_differences(model, read->result, expect_omitted, &law);
    g_hash_table_unref(law.omitted);
    return law.broken;
}

/* ---- L8: written without the open place, and read again -------------------------- */

static char *
check_bare(Laws *laws, GBytes *text, const Tree *model)
{
    OcpConvertOptions bare = {.carry_none = true};
    g_autoptr(Turn) written = laws_turn(laws, text, laws->label, STEP_AGAIN, &bare);
    if (written->fault != NULL)
        return g_strdup_printf("L4: without a carry: %s", written->fault);
    char *broken = check_valid(laws, written->outcome->text, laws->label, true);
    if (broken != NULL)
        return broken;
    g_autoptr(Turn) read =
        laws_turn(laws, written->outcome->text, "opencheckpoint", STEP_BARE, &bare);
    if (read->fault != NULL)
        return g_strdup_printf("L4: what was written is not read: %s", read->fault);
    return check_promotion(model, read->result, laws->label);
}

/* ---- all ------------------------------------------------------------------------- */

char *
law_of_model(Laws *laws, const Tree *model)
{
    guint64 loud = laws->seed % 8 == 3 ? laws->seed : 0;
    g_autoptr(GBytes) text = tree_write(model, loud);
    g_autoptr(Turn) written = laws_turn(laws, text, laws->label, STEP_WRITE, NULL);
    if (written->invalid)
        return NULL;
    if (written->fault != NULL)
        return g_strdup_printf("L4: not converted: %s", written->fault);
    laws->documents++;
    g_autoptr(Turn) read =
        laws_turn(laws, written->outcome->text, "opencheckpoint", STEP_READ, NULL);
    if (read->fault != NULL)
        return g_strdup_printf("L4: what was written is not read: %s", read->fault);
    char *broken = check_totality(written->outcome->write, model, "write");
    if (broken == NULL)
        broken = check_valid(laws, written->outcome->text, laws->label, true);
    if (broken == NULL)
        broken = check_totality(read->outcome->read, written->result, "read");
    if (broken == NULL)
        broken = check_put_get(laws, model, written, read);
    if (broken == NULL && laws->tamper == NULL)
        broken = check_round_trip(laws, text, laws->label, NULL);
    if (broken == NULL)
        broken = check_same_again(laws, text, laws->label, written, STEP_WRITE);
    if (broken == NULL)
        broken = check_bare(laws, text, model);
    return broken;
}

/* ---- L7: OpenCheckpoint to itself ------------------------------------------------ */

char *
law_of_copy(Laws *laws, const Tree *model)
{
    OcpConvertOptions yaml = {.syntax = OCP_SYNTAX_YAML};
    g_autoptr(GBytes) text = tree_write(model, laws->seed);
    g_autoptr(Turn) copy = laws_turn(laws, text, "opencheckpoint", STEP_COPY, NULL);
    if (copy->invalid)
        return NULL;
    if (copy->fault != NULL)
        return g_strdup_printf("L7: not copied: %s", copy->fault);
    laws->documents++;
    if (!g_bytes_equal(text, copy->outcome->text))
        return g_strdup("L7: the bytes are not the same");
    g_autoptr(Turn) other = laws_turn(laws, text, "opencheckpoint", STEP_EDITED, &yaml);
    if (other->fault != NULL)
        return g_strdup_printf("L7: not written as YAML: %s", other->fault);
    g_autoptr(Turn) same =
        laws_turn(laws, other->outcome->text, "opencheckpoint", STEP_COPY, &yaml);
    if (same->fault != NULL ||
        !g_bytes_equal(other->outcome->text, same->outcome->text))
        return g_strdup_printf("L7: YAML to YAML is no copy (%s)", same->fault);
    g_autoptr(Turn) back =
        laws_turn(laws, other->outcome->text, "opencheckpoint", STEP_READ, NULL);
    if (back->fault != NULL)
        return g_strdup_printf("L7: not read from YAML: %s", back->fault);
    g_autoptr(OcpDocument) before = NULL, after = NULL;
    OcpLimits limits = OCP_LIMITS_DEFAULT;
    g_autoptr(OcpReport) quiet = ocp_report_new();
    bool equal = ocp_json_read(text, NULL, &limits, quiet, &before) &&
                 ocp_json_read(back->outcome->text, NULL, &limits, quiet, &after) &&
                 ocp_equal_value(before->root, after->root);
    return equal ? NULL : g_strdup("L7: through YAML the value is another");
}
