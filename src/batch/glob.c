/* SPDX-License-Identifier: Apache-2.0 */
#include "batch/glob.h"

#include <string.h>

/* One step of a pattern: a run of any bytes, or one byte of a set, or a fork. */
typedef struct {
    bool run;     /* any number of bytes */
    bool slash;   /* of them "/" too */
    bool nothing; /* takes no byte, and the two steps that follow may be left out */
    guint8 set[32];
} Step;

static void
set_byte(Step *step, guchar byte)
{
    step->set[byte / 8] |= (guint8)(1U << byte % 8);
}

static bool
has_byte(const Step *step, guchar byte)
{
    return (step->set[byte / 8] >> byte % 8 & 1) != 0;
}

static void
set_all_but_slash(Step *step)
{
    memset(step->set, 0xFF, sizeof step->set);
    step->set['/' / 8] &= (guint8) ~(1U << '/' % 8);
}

/* Reads "[…]"; at is behind the bracket. Returns what follows, or NULL if no bracket
 * closes it: then it stands for itself. */
static const char *
read_set(const char *at, Step *step)
{
    Step found = {0};
    bool not = *at == '!' || *at == '^';
    at += not ;
    for (bool first = true; first || *at != ']'; first = false) {
        if (*at == '\\' && at[1] != '\0')
            at++;
        if (*at == '\0')
            return NULL;
        guchar low = (guchar)*at++;
        guchar high = low;
        if (*at == '-' && at[1] != ']' && at[1] != '\0') {
            high = (guchar)at[1];
            at += 2;
        }
        for (guint byte = low; byte <= high; byte++)
            set_byte(&found, (guchar)byte);
    }
    for (gsize i = 0; i < sizeof found.set; i++)
        step->set[i] = not ? (guint8)~found.set[i] : found.set[i];
    step->set['/' / 8] &= (guint8) ~(1U << '/' % 8);
    return at + 1;
}

/* "**" and "/" after it: also nothing at all, so that the pattern starts at a part. */
static const char *
add_deep(const char *at, GArray *steps)
{
    Step either = {.nothing = true};
    Step run = {.run = true, .slash = true};
    Step slash = {0};
    set_byte(&slash, '/');
    if (*at != '/') {
        g_array_append_val(steps, run);
        return at;
    }
    g_array_append_val(steps, either);
    g_array_append_val(steps, run);
    g_array_append_val(steps, slash);
    return at + 1;
}

static const char *
add_step(const char *at, GArray *steps)
{
    Step step = {0};
    guchar byte = (guchar)*at++;
    const char *end = byte == '[' ? read_set(at, &step) : NULL;
    if (byte == '*' && *at == '*')
        return add_deep(at + strspn(at, "*"), steps);
    if (end != NULL) {
        at = end;
    } else if (byte == '*') {
        step.run = true;
    } else if (byte == '?') {
        set_all_but_slash(&step);
    } else {
        if (byte == '\\' && *at != '\0')
            byte = (guchar)*at++;
        set_byte(&step, byte);
    }
    g_array_append_val(steps, step);
    return at;
}

/* reached[i]: the steps before i match what was read of the path. */
static void
pass_empty(const GArray *steps, guint8 *reached)
{
    for (guint i = 0; i < steps->len; i++) {
        const Step *step = &g_array_index(steps, Step, i);
        if (reached[i] && (step->run || step->nothing))
            reached[i + 1] = 1;
        if (reached[i] && step->nothing)
            reached[i + 3] = 1;
    }
}

static void
pass_byte(const GArray *steps, const guint8 *reached, guchar byte, guint8 *next)
{
    memset(next, 0, steps->len + 1);
    for (guint i = 0; i < steps->len; i++) {
        const Step *step = &g_array_index(steps, Step, i);
        if (reached[i] && step->run && (step->slash || byte != '/'))
            next[i] = 1;
        if (reached[i] && !step->run && has_byte(step, byte))
            next[i + 1] = 1;
    }
    pass_empty(steps, next);
}

bool
ocp_glob_matches(const char *pattern, const char *path)
{
    g_autoptr(GArray) steps = g_array_new(FALSE, FALSE, sizeof(Step));
    const char *text = path;
    if (strchr(pattern, '/') == NULL) {
        const char *slash = strrchr(path, '/');
        text = slash != NULL ? slash + 1 : path;
    }
    for (const char *at = pattern; *at != '\0';)
        at = add_step(at, steps);
    g_autofree guint8 *reached = g_malloc0(steps->len + 1);
    g_autofree guint8 *next = g_malloc0(steps->len + 1);
    reached[0] = 1;
    pass_empty(steps, reached);
    for (; *text != '\0'; text++) {
        pass_byte(steps, reached, (guchar)*text, next);
        guint8 *before = reached;
        reached = next;
        next = before;
    }
    return reached[steps->len] != 0;
}
