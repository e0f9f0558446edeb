/* SPDX-License-Identifier: Apache-2.0 */
#include "laws.h"

#include <string.h>

#include "text/json.h"

enum { TIME = 1790000000 }; /* of the file: 2026-09-21T14:13:20Z */

void
turn_free(Turn *turn)
{
    ocp_outcome_free(turn->outcome);
    ocp_report_free(turn->report);
    tree_free(turn->result);
    g_free(turn->fault);
    g_free(turn);
}

static void
find_fault(Turn *turn)
{
    for (guint i = 0; i < turn->report->diagnostics->len && turn->fault == NULL; i++) {
        const OcpDiagnostic *diagnostic = turn->report->diagnostics->pdata[i];
        if (diagnostic->severity != OCP_ERROR)
            continue;
        turn->fault =
            g_strdup_printf("%s: %s: %s", diagnostic->code,
                            diagnostic->pointer != NULL ? diagnostic->pointer : "",
                            diagnostic->message);
        turn->invalid = !g_str_has_prefix(diagnostic->code, "fault.");
    }
}

Turn *
laws_turn(Laws *laws, GBytes *text, const char *to, Step step,
          const OcpConvertOptions *options)
{
    Turn *turn = g_new0(Turn, 1);
    OcpConvertOptions own = {0};
    if (options != NULL)
        own = *options;
    own.to = to;
    turn->report = ocp_report_new();
    const char *first = g_bytes_get_data(text, NULL);
    const char *name = *first == '{' ? "test.json" : "test.yaml";
    OcpOrigin origin = {.name = name, .modified = TIME, .epoch = -1};
    OcpLimits limits = OCP_LIMITS_DEFAULT;
    g_autoptr(GPtrArray) documents = NULL;
    bool ok = ocp_source_read(text, name, OCP_SYNTAX_AUTO, &limits, turn->report,
                              &documents) &&
              ocp_convert(laws->context, documents->pdata[0], &origin, &own,
                          turn->report, &turn->outcome);
    if (!ok) {
        find_fault(turn);
        return turn;
    }
    if (own.syntax != OCP_SYNTAX_YAML)
        turn->result = tree_read(turn->outcome->text);
    if (laws->tamper != NULL)
        laws->tamper(step, turn);
    return turn;
}

/* ---- comparing ------------------------------------------------------------------- */

typedef struct {
    Differs visit;
    gpointer data;
    GString *pointer;
} Comparison;

static void
compare(Comparison *comparison, const Tree *a, const Tree *b)
{
    bool deeper = a != NULL && b != NULL && a->kind == b->kind && a->items != NULL &&
                  a->items->len > 0 && b->items->len > 0;
    if (!deeper) {
        if (a == NULL || b == NULL || !tree_equal(a, b))
            comparison->visit(comparison->pointer->str, a, b, comparison->data);
        return;
    }
    gsize length = comparison->pointer->len;
    if (a->kind == OCP_ARRAY) {
        for (guint i = 0; i < MAX(a->items->len, b->items->len); i++) {
            g_string_append_printf(comparison->pointer, "/%u", i);
            compare(comparison, i < a->items->len ? a->items->pdata[i] : NULL,
                    i < b->items->len ? b->items->pdata[i] : NULL);
            g_string_truncate(comparison->pointer, length);
        }
        return;
    }
    for (guint side = 0; side < 2; side++) {
        const Tree *left = side == 0 ? a : b;
        for (guint i = 0; i < left->items->len; i++) {
            const char *name = left->names->pdata[i];
            const Tree *other = tree_get(side == 0 ? b : a, name);
            if (side == 1 && other != NULL)
                continue;
            tree_pointer_push(comparison->pointer, name);
            compare(comparison, side == 0 ? left->items->pdata[i] : NULL,
                    side == 0 ? other : left->items->pdata[i]);
            g_string_truncate(comparison->pointer, length);
        }
    }
}

void
tree_differences(const Tree *a, const Tree *b, Differs visit, gpointer data)
{
    Comparison comparison = {visit, data, g_string_new(NULL)};
    compare(&comparison, a, b);
    g_string_free(comparison.pointer, TRUE);
}

GHashTable *
omitted_leaves(const OcpAccount *account)
{
    GHashTable *omitted = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; account != NULL && i < account->fates->len; i++) {
        const OcpLeaf *leaf = account->fates->pdata[i];
        if (leaf->fate == OCP_FATE_OMITTED)
            g_hash_table_add(omitted, g_strdup(leaf->pointer));
    }
    return omitted;
}

Tree *
without_open_place(const Tree *document)
{
    Tree *bare = tree_copy(document);
    tree_drop(bare, "opencheckpoint");
    Tree *profile = tree_get(bare, "runtime_profile");
    if (tree_is(profile, OCP_OBJECT)) {
        tree_drop(profile, "opencheckpoint");
        if (profile->items->len == 0)
            tree_drop(bare, "runtime_profile");
    }
    return bare;
}

bool
is_derived(const char *pointer)
{
    static const char *const derived[] = {"/content_hash", "/rank"};
    bool found = false;
    for (gsize i = 0; i < G_N_ELEMENTS(derived); i++)
        found = found || g_str_has_suffix(pointer, derived[i]);
    return found;
}

/* ---- L1: totality ---------------------------------------------------------------- */

typedef struct {
    const OcpAccount *account;
    guint64 counts[OCP_FATES];
    guint next;
    char *broken;
} Totality;

static void
expect_leaf(const Tree *leaf, const char *pointer, gpointer data)
{
    Totality *totality = data;
    (void)leaf;
    if (totality->broken != NULL)
        return;
    if (totality->next >= totality->account->fates->len) {
        totality->broken = g_strdup_printf("%s has no fate", pointer);
        return;
    }
    const OcpLeaf *told = totality->account->fates->pdata[totality->next++];
    totality->counts[told->fate]++;
    if (strcmp(told->pointer, pointer) != 0)
        totality->broken =
            g_strdup_printf("%s is told where %s stands", told->pointer, pointer);
    else if ((told->fate == OCP_FATE_OMITTED) != (told->reason != NULL))
        totality->broken = g_strdup_printf("%s: %s, with %s reason", pointer,
                                           ocp_fate_name(told->fate),
                                           told->reason != NULL ? "a" : "no");
    else if ((told->fate == OCP_FATE_KEPT || told->fate == OCP_FATE_CARRIED) !=
             (told->carry != NULL))
        totality->broken =
            g_strdup_printf("%s: %s, carried %s", pointer, ocp_fate_name(told->fate),
                            told->carry != NULL ? told->carry : "nowhere");
}

char *
check_totality(const OcpAccount *account, const Tree *source, const char *what)
{
    Totality totality = {.account = account};
    tree_each_leaf(source, expect_leaf, &totality);
    if (totality.broken == NULL && totality.next != account->fates->len)
        totality.broken = g_strdup("it tells of more leaves than there are");
    for (int fate = 0; fate < OCP_FATES && totality.broken == NULL; fate++)
        if (totality.counts[fate] != account->counts[fate])
            totality.broken =
                g_strdup_printf("the count of %s is not that of its leaves",
                                ocp_fate_name((OcpFate)fate));
    if (totality.broken == NULL && account->leaves != account->fates->len)
        totality.broken = g_strdup("the count of leaves is wrong");
    if (totality.broken == NULL)
        return NULL;
    g_autofree char *broken = totality.broken;
    return g_strdup_printf("L1: %s account: %s", what, broken);
}

/* ---- L4: validity ---------------------------------------------------------------- */

/* rules: what we made ourselves also keeps formats and the dialect's own rules; what a
 * carry brings back need not. */
char *
check_valid(Laws *laws, GBytes *text, const char *as, bool rules)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpLimits limits = OCP_LIMITS_DEFAULT;
    g_autoptr(GPtrArray) documents = NULL;
    if (!ocp_source_read(text, "result.json", OCP_SYNTAX_JSON, &limits, report,
                         &documents))
        return g_strdup("L4: the result cannot be read");
    if (ocp_check(laws->context, documents->pdata[0], as, report, NULL))
        return NULL;
    for (guint i = 0; i < report->diagnostics->len; i++) {
        const OcpDiagnostic *diagnostic = report->diagnostics->pdata[i];
        bool carried = strcmp(diagnostic->code, "schema.format") == 0;
        bool counts = rules || g_str_has_prefix(diagnostic->code, "OC-") ||
                      (g_str_has_prefix(diagnostic->code, "schema.") && !carried);
        if (diagnostic->severity == OCP_ERROR && counts)
            return g_strdup_printf("L4: as %s: %s: %s [%s]", as, diagnostic->pointer,
                                   diagnostic->message, diagnostic->code);
    }
    return NULL;
}

/* ---- L5: determinism ------------------------------------------------------------- */

char *
check_same_again(Laws *laws, GBytes *text, const char *to, const Turn *turn, Step step)
{
    (void)step;
    g_autoptr(Turn) again = laws_turn(laws, text, to, STEP_AGAIN, NULL);
    if (again->fault != NULL)
        return g_strdup_printf("L5: the second time: %s", again->fault);
    if (!g_bytes_equal(again->outcome->text, turn->outcome->text))
        return g_strdup_printf("L5: to %s, the second time gives other bytes", to);
    return NULL;
}

/* ---- round trips ----------------------------------------------------------------- */

char *
check_round_trip(Laws *laws, GBytes *text, const char *to,
                 const OcpConvertOptions *options)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) document = NULL;
    g_autoptr(GPtrArray) differences = NULL;
    OcpLimits limits = OCP_LIMITS_DEFAULT;
    OcpOrigin origin = {.name = "test.json", .modified = TIME, .epoch = -1};
    OcpConvertOptions own = {0};
    if (options != NULL)
        own = *options;
    own.to = to;
    if (!ocp_json_read(text, "test.json", &limits, report, &document) ||
        !ocp_round_trip(laws->context, document, &origin, &own, report, &differences))
        return g_strdup("L3: no round trip");
    for (guint i = 0; i < differences->len; i++) {
        const OcpDifference *difference = differences->pdata[i];
        if (!difference->named)
            return g_strdup_printf("L3: --round-trip through %s: %s was %s, is %s", to,
                                   difference->pointer, difference->before,
                                   difference->after);
    }
    return NULL;
}
