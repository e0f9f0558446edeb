/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Times against each other: order (W02), nothing after the capture (W03), what had
 * expired by then (W24).
 */
#include "model/check.h"
#include "schema/format.h"

/* No sensible time is longer; a hostile one must not be compared again and again. */
enum { LONGEST_TIME = 64 };

typedef struct {
    const char *text; /* NULL: no valid time */
    gsize length;
} Time;

static Time
time_of(const OcpRuleCheck *check, const OcpNode *node)
{
    Time none = {NULL, 0};
    if (!ocp_is(node, OCP_STRING) || node->size > LONGEST_TIME)
        return none;
    Time time;
    time.text = ocp_text(node, check->arena, &time.length);
    return ocp_format_date_time(time.text, time.length) ? time : none;
}

static bool
is_before(Time a, Time b)
{
    return a.text != NULL && b.text != NULL &&
           ocp_format_compare_times(a.text, a.length, b.text, b.length) < 0;
}

typedef struct {
    OcpRuleCheck *check;
    Time captured;
    Time last; /* of the completed steps so far */
} Times;

/* ---- W02 ------------------------------------------------------------------- */

static void
check_order(const OcpNode *step, GString *pointer, gpointer data)
{
    Times *self = data;
    const OcpNode *node = ocp_member(step, "completed_at");
    Time time = time_of(self->check, node);
    if (time.text == NULL)
        return;
    if (is_before(time, self->last)) {
        g_autofree char *at = ocp_rule_below(pointer, "completed_at");
        g_autofree char *expected = g_strdup_printf(
            "no earlier than %.*s", (int)self->last.length, self->last.text);
        ocp_rule_detail(ocp_rule_fault(self->check, "OC-W02", node, at,
                                       "this step was completed before the one that "
                                       "precedes it"),
                        expected, node, "completed steps stand oldest first");
    }
    self->last = time;
}

/* ---- W03 ------------------------------------------------------------------- */

typedef struct {
    const char *path;
    const char *name;
} TimeMember;

static const TimeMember past_members[] = {
    {"progress/completed/*", "completed_at"},
    {"statements/*", "recorded_at"},
    {"statements/*/verification", "checked_at"},
    {"resources/*", "observed_at"},
    {"application_context/*", "observed_at"},
    {"operations/*", "requested_at"},
    {"operations/*", "last_attempt_at"},
    {"operations/*/approval", "decided_at"},
};

typedef struct {
    Times *times;
    const char *name;
} PastMember;

static void
check_past(const OcpNode *object, GString *pointer, gpointer data)
{
    const PastMember *self = data;
    OcpRuleCheck *check = self->times->check;
    const OcpNode *node = ocp_member(object, self->name);
    if (!is_before(self->times->captured, time_of(check, node)))
        return;
    g_autofree char *at = ocp_rule_below(pointer, self->name);
    g_autofree char *expected =
        g_strdup_printf("no later than %.*s", (int)self->times->captured.length,
                        self->times->captured.text);
    ocp_rule_detail(ocp_rule_fault(check, "OC-W03", node, at,
                                   "%s is later than the checkpoint's created_at",
                                   self->name),
                    expected, node, NULL);
}

/* ---- W24 ------------------------------------------------------------------- */

/* Only what still waits for its time matters. An action under way whose lease has run
 * out is reported just so (uncertain), and what failed or ended may well have expired.
 */
static void
check_expiry(const OcpNode *operation, GString *pointer, gpointer data)
{
    const Times *self = data;
    const OcpNode *node = ocp_member(operation, "expires_at");
    const OcpNode *status = ocp_member(operation, "status");
    if (!ocp_text_is(status, "planned") && !ocp_text_is(status, "awaiting") &&
        !ocp_text_is(status, "approved"))
        return;
    if (!is_before(time_of(self->check, node), self->captured))
        return;
    g_autofree char *at = ocp_rule_below(pointer, "expires_at");
    ocp_rule_detail(ocp_rule_fault(self->check, "OC-W24", node, at,
                                   "this operation had expired when the checkpoint was "
                                   "created"),
                    "a time after created_at", node,
                    "say what became of it, or that nobody knows (uncertain)");
}

void
ocp_rule_times(OcpRuleCheck *check)
{
    Times times = {
        check, time_of(check, ocp_member(check->root, "created_at")), {NULL, 0}};
    ocp_model_walk(check->root, "progress/completed/*", check_order, &times);
    for (gsize i = 0; i < G_N_ELEMENTS(past_members); i++) {
        PastMember member = {&times, past_members[i].name};
        ocp_model_walk(check->root, past_members[i].path, check_past, &member);
    }
    ocp_model_walk(check->root, "operations/*", check_expiry, &times);
}
