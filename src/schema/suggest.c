/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/suggest.h"

#include <string.h>

#include "value/distance.h"

enum { FARTHEST = 2 };

/* Edits from a to b; more than FARTHEST if so many say nothing of so short a text. */
static guint
distance(const char *a, gsize a_length, const char *b, gsize b_length)
{
    guint edits = ocp_distance(a, a_length, b, b_length, FARTHEST);
    return (gsize)edits * 2 < MAX(a_length, b_length) ? edits : FARTHEST + 1;
}

const OcpName *
ocp_suggest_name(const OcpNames *names, const OcpNode *object, const OcpNode *key,
                 const GPtrArray *missing)
{
    const OcpName *best = NULL;
    guint best_rank = 2 * FARTHEST + 2;
    if (key->flags & OCP_NODE_ESCAPED)
        return NULL;
    for (guint i = 0; i < names->count; i++) {
        const OcpName *name = &names->names[i];
        guint edits = distance(key->as.text, key->size, name->text, name->length);
        bool wanted =
            missing != NULL && g_ptr_array_find((GPtrArray *)missing, name, NULL);
        guint rank = edits + (wanted ? 0 : FARTHEST);
        if (edits > FARTHEST || rank >= best_rank ||
            ocp_member_sized(object, name->text, name->length, NULL) != NULL)
            continue;
        best = name;
        best_rank = rank;
    }
    return best;
}

const OcpNode *
ocp_suggest_key(const OcpName *name, const OcpNode *object)
{
    const OcpNode *best = NULL;
    guint best_edits = FARTHEST + 1;
    const OcpNode *key, *value;
    for (OcpIter i = ocp_iter(object); ocp_iter_member(&i, &key, &value);) {
        if (key->flags & OCP_NODE_ESCAPED)
            continue;
        guint edits = distance(key->as.text, key->size, name->text, name->length);
        if (edits < best_edits) {
            best = key;
            best_edits = edits;
        }
    }
    return best;
}

const OcpNode *
ocp_suggest_value(const OcpNode *const *allowed, guint count, const OcpNode *value)
{
    const OcpNode *best = NULL;
    guint best_edits = FARTHEST + 1;
    if (value->kind != OCP_STRING || (value->flags & OCP_NODE_ESCAPED))
        return NULL;
    for (guint i = 0; i < count; i++) {
        if (allowed[i]->kind != OCP_STRING || (allowed[i]->flags & OCP_NODE_ESCAPED))
            continue;
        guint edits = distance(value->as.text, value->size, allowed[i]->as.text,
                               allowed[i]->size);
        if (edits < best_edits) {
            best = allowed[i];
            best_edits = edits;
        }
    }
    return best;
}
