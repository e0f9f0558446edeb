/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Secrets where none may be: credentials in what describes a call or how to reach a
 * resource (I19), members named like one (W19), and personal data in names (W21).
 * No message shows what was found.
 */
#include <string.h>

#include "model/check.h"
#include "value/pointer.h"

/* A container being walked: an explicit stack, as values may be deep. */
typedef struct {
    OcpIter iter;
    bool is_object;
    gsize index;
    gsize pointer_length; /* of the container's own pointer */
} Frame;

typedef struct {
    OcpRuleCheck *check;
    GString *pointer;
    GArray *frames;
} Search;

static bool
is_secret_text(const Search *search, const OcpNode *string)
{
    gsize length;
    const char *text = ocp_text(string, search->check->arena, &length);
    return ocp_model_is_credential(text, length);
}

/* True if the value of a secret's name only stands for it: "", "***", "[omitted]",
 * "<password>", "${PASSWORD}". */
static bool
is_stand_in(const Search *search, const OcpNode *value)
{
    if (value->kind == OCP_NUMBER)
        return false;
    if (value->kind != OCP_STRING)
        return true; /* a container is walked; true, false and null tell nothing */
    gsize length;
    const char *text = ocp_text(value, search->check->arena, &length);
    if (length == 0 || memchr("<$[{", text[0], 4) != NULL)
        return true;
    for (gsize i = 0; i < length; i++)
        if (text[i] != '*')
            return false;
    return true;
}

static void
report_secret(Search *search, const OcpNode *at)
{
    ocp_rule_hide(search->check, at);
    ocp_rule_detail(ocp_rule_fault(search->check, "OC-I19", at, search->pointer->str,
                                   "this looks like a credential"),
                    "no credential: a checkpoint is passed on", NULL,
                    "take it out; the destination must hold its own access");
}

static void
report_name(Search *search, const OcpNode *value)
{
    ocp_rule_hide(search->check, value);
    ocp_rule_detail(ocp_rule_fault(search->check, "OC-W19", value, search->pointer->str,
                                   "a member of this name usually holds a secret"),
                    "no credential: a checkpoint is passed on", NULL,
                    "leave it out if the call can be told without it");
}

static void
push_container(Search *search, const OcpNode *node)
{
    Frame frame = {ocp_iter(node), node->kind == OCP_OBJECT, 0, search->pointer->len};
    g_array_append_val(search->frames, frame);
}

static void
look_at(Search *search, const OcpNode *key, const OcpNode *value)
{
    if (ocp_is(value, OCP_STRING) && is_secret_text(search, value)) {
        report_secret(search, value);
        return;
    }
    if (key != NULL && !is_stand_in(search, value)) {
        gsize length;
        const char *name = ocp_text(key, search->check->arena, &length);
        if (ocp_model_is_credential_name(name, length))
            report_name(search, value);
    }
    if (ocp_is_container(value))
        push_container(search, value);
}

/* Moves to the next child of the innermost container; false at its end. */
static bool
step(Search *search, Frame *frame)
{
    g_string_truncate(search->pointer, frame->pointer_length);
    if (!frame->is_object) {
        const OcpNode *element = ocp_iter_element(&frame->iter);
        if (element == NULL)
            return false;
        ocp_pointer_push_index(search->pointer, frame->index++);
        look_at(search, NULL, element);
        return true;
    }
    const OcpNode *key;
    const OcpNode *value;
    if (!ocp_iter_member(&frame->iter, &key, &value))
        return false;
    if (is_secret_text(search,
                       key)) { /* told at the object: its pointer would show it */
        report_secret(search, key);
        return true;
    }
    ocp_pointer_push_key(search->pointer, key);
    look_at(search, key, value);
    return true;
}

/* Searches everything below a value; pointer is put back. */
static void
search_below(OcpRuleCheck *check, const OcpNode *value, GString *pointer,
             const char *member)
{
    if (value == NULL)
        return;
    gsize before = pointer->len;
    ocp_pointer_push(pointer, member, strlen(member));
    Search search = {check, pointer, g_array_new(FALSE, FALSE, sizeof(Frame))};
    look_at(&search, NULL, value);
    while (search.frames->len > 0) {
        Frame *frame = &g_array_index(search.frames, Frame, search.frames->len - 1);
        guint depth = search.frames->len;
        if (!step(&search, frame))
            g_array_set_size(search.frames, depth - 1);
    }
    g_array_unref(search.frames);
    g_string_truncate(pointer, before);
}

static void
search_operation(const OcpNode *operation, GString *pointer, gpointer data)
{
    search_below(data, ocp_member(operation, "call"), pointer, "call");
}

static void
search_resource(const OcpNode *resource, GString *pointer, gpointer data)
{
    search_below(data, ocp_member(resource, "resolver"), pointer, "resolver");
}

/* ---- personal data --------------------------------------------------------- */

static bool
is_local_part(char c)
{
    return g_ascii_isalnum(c) ||
           (c != '\0' && strchr(".!#$%&'*+-/=?^_`{|}~", c) != NULL);
}

/* name@host.tld somewhere in the text. */
static bool
has_mail_address(const char *text, gsize length)
{
    const char *end = text + length;
    for (const char *at = text; (at = memchr(at, '@', (gsize)(end - at))) != NULL;
         at++) {
        if (at == text || !is_local_part(at[-1]))
            continue;
        bool dot = false;
        const char *host = at + 1;
        while (host < end && (g_ascii_isalnum(*host) || *host == '-' || *host == '.')) {
            dot = dot || (*host == '.' && host > at + 1 && host + 1 < end &&
                          g_ascii_isalpha(host[1]));
            host++;
        }
        if (dot)
            return true;
    }
    return false;
}

/* + and 8 to 15 digits, grouped or not. */
static bool
is_phone_number(const char *text, gsize length)
{
    guint digits = 0;
    for (gsize i = 0; i < length; i++) {
        if (g_ascii_isdigit(text[i]))
            digits++;
        else if (text[i] == '\0' || strchr(i == 0 ? "+" : " -()./", text[i]) == NULL)
            return false;
    }
    return length > 0 && text[0] == '+' && digits >= 8 && digits <= 15;
}

static void
check_origin(const OcpNode *origin, GString *pointer, gpointer data)
{
    OcpRuleCheck *check = data;
    const OcpNode *name = ocp_member(origin, "name");
    if (!ocp_is(name, OCP_STRING))
        return;
    gsize length;
    const char *text = ocp_text(name, check->arena, &length);
    if (!has_mail_address(text, length) && !is_phone_number(text, length))
        return;
    g_autofree char *at = ocp_rule_below(pointer, "name");
    ocp_rule_detail(ocp_rule_fault(check, "OC-W21", name, at,
                                   "the name of this origin holds personal data"),
                    "a name or role, such as \"maintainer\"", NULL,
                    "leave out what the destination does not need");
}

void
ocp_rule_secrets(OcpRuleCheck *check)
{
    ocp_model_walk(check->root, "operations/*", search_operation, check);
    ocp_model_walk(check->root, "resources/*", search_resource, check);
    ocp_model_walk(check->root, "statements/*/origin", check_origin, check);
}
