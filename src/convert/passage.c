/* SPDX-License-Identifier: Apache-2.0 */
#include "convert/passage.h"

#include <string.h>

/* A leaf of the document. */
typedef struct {
    const char *pointer;
    bool lost;    /* something of it was left behind */
    bool moved;   /* it arrived at another place */
    bool arrived; /* it arrived at its own place */
} Traveller;

typedef struct {
    Traveller *all;
    guint count;
    GHashTable *at;   /* pointer -> GArray of guint, indexes of all */
    GHashTable *said; /* the same: the next step makes these again; or NULL */
    GHashTable *gone; /* pointers of elements of which something is lost or elsewhere */
    GHashTable *here; /* ... of which something is where it was */
} Passage;

static GHashTable *
places_new(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
                                 (GDestroyNotify)g_array_unref);
}

static GArray *
those_at(GHashTable *at, const char *pointer)
{
    GArray *those = g_hash_table_lookup(at, pointer);
    if (those == NULL) {
        those = g_array_new(FALSE, FALSE, sizeof(guint));
        g_hash_table_insert(at, g_strdup(pointer), those);
    }
    return those;
}

static void
set_out(Passage *passage, const OcpAccount *first)
{
    passage->count = first->fates->len;
    passage->all = g_new0(Traveller, passage->count);
    passage->at = places_new();
    for (guint i = 0; i < passage->count; i++) {
        const OcpLeaf *leaf = first->fates->pdata[i];
        passage->all[i].pointer = leaf->pointer;
        g_array_append_val(those_at(passage->at, leaf->pointer), i);
    }
}

static void
leave_behind(const Passage *passage, const GArray *those)
{
    for (guint n = 0; those != NULL && n < those->len; n++)
        passage->all[g_array_index(those, guint, n)].lost = true;
}

/* A value made of many leaves is none of them: their way ends there, so that the work
 * stays in proportion to the accounts. */
static GHashTable *
mixed_places(const Passage *passage, const OcpAccount *account)
{
    GHashTable *mixed = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < account->changes->len; i++) {
        const OcpChange *change = account->changes->pdata[i];
        if (change->from->len < 2)
            continue;
        g_hash_table_add(mixed, change->place);
        for (guint n = 0; n < change->from->len; n++)
            leave_behind(passage,
                         g_hash_table_lookup(passage->at, change->from->pdata[n]));
    }
    return mixed;
}

static void
go_to(GHashTable *at, const GArray *those, const char *place, GHashTable *mixed)
{
    if (place == NULL || g_hash_table_contains(mixed, place))
        return;
    GArray *there = those_at(at, place);
    g_array_append_vals(there, those->data, those->len);
}

/* What a step gives back without showing it, the step that undoes it makes again. */
static bool
is_said(const OcpLeaf *leaf)
{
    return leaf->fate == OCP_FATE_MAPPED && leaf->place == NULL;
}

static void
come_up(GHashTable *next, GHashTable *said)
{
    GHashTableIter iter;
    gpointer place, those;
    g_hash_table_iter_init(&iter, said);
    while (g_hash_table_iter_next(&iter, &place, &those)) {
        const GArray *travellers = those;
        g_array_append_vals(those_at(next, place), travellers->data, travellers->len);
    }
}

static void
take_step(Passage *passage, const OcpAccount *account, bool undone, bool last)
{
    g_autoptr(GHashTable) said = passage->said;
    passage->said = places_new();
    g_autoptr(GHashTable) mixed = mixed_places(passage, account);
    GHashTable *next = places_new();
    for (guint i = 0; i < account->fates->len; i++) {
        const OcpLeaf *leaf = account->fates->pdata[i];
        const GArray *those = g_hash_table_lookup(passage->at, leaf->pointer);
        if (those == NULL)
            continue;
        if (leaf->fate == OCP_FATE_OMITTED || (last && leaf->fate != OCP_FATE_MAPPED))
            leave_behind(passage, those);
        if (undone && is_said(leaf))
            go_to(passage->said, those, leaf->pointer, mixed);
        go_to(next, those, leaf->place, mixed);
        go_to(next, those, leaf->carry, mixed);
        for (guint n = 0; leaf->places != NULL && n < leaf->places->len; n++)
            go_to(next, those, leaf->places->pdata[n], mixed);
    }
    if (said != NULL)
        come_up(next, said);
    g_hash_table_unref(passage->at);
    passage->at = next;
}

/* Where the element ends that the pointer names at or behind `at`; NULL if it is none.
 */
static const char *
element_end(const char *pointer, const char *at)
{
    while (at > pointer && at[-1] != '/')
        at--;
    const char *end = at;
    while (g_ascii_isdigit(*end))
        end++;
    return end > at && (*end == '/' || *end == '\0') ? end : NULL;
}

/* Notes that the leaf's element is another one of the same array now. */
static void
note_gone(Passage *passage, const char *pointer, const char *place)
{
    gsize same = 0;
    while (pointer[same] != '\0' && pointer[same] == place[same])
        same++;
    const char *end = element_end(pointer, pointer + same);
    if (end != NULL && element_end(place, place + same) != NULL)
        g_hash_table_add(passage->gone, g_strndup(pointer, (gsize)(end - pointer)));
}

/* The next element, from *at on, that the pointer leads through; NULL behind the last.
 * Free it. */
static char *
next_element(const char *pointer, const char **at)
{
    while ((*at = strchr(*at, '/')) != NULL) {
        const char *end = element_end(pointer, ++*at);
        if (end != NULL)
            return g_strndup(pointer, (gsize)(end - pointer));
    }
    return NULL;
}

static void
note_elements(GHashTable *set, const char *pointer)
{
    const char *at = pointer;
    for (char *element; (element = next_element(pointer, &at)) != NULL;)
        g_hash_table_add(set, element);
}

/* True if the leaf stands in an element that is elsewhere now: nobody tells of the
 * leaf, for the result gives it back by itself, but it went with the others. */
static bool
went_along(const Passage *passage, const char *pointer)
{
    const char *at = pointer;
    bool along = false;
    for (char *element; !along && (element = next_element(pointer, &at)) != NULL;) {
        along = g_hash_table_contains(passage->gone, element) &&
                !g_hash_table_contains(passage->here, element);
        g_free(element);
    }
    return along;
}

/* Marks who arrived at the place; true if nobody is at home there. */
static bool
arrive(Passage *passage, const char *place, const GArray *those)
{
    bool strange = true;
    for (guint n = 0; n < those->len; n++) {
        Traveller *one = &passage->all[g_array_index(those, guint, n)];
        bool home = g_str_equal(one->pointer, place);
        one->arrived |= home;
        one->moved |= !home;
        if (home)
            note_elements(passage->here, place);
        else
            note_gone(passage, one->pointer, place);
        strange = strange && !home;
    }
    return strange;
}

void
ocp_passage_name(GHashTable *named, const OcpAccount *const *steps, gsize count)
{
    Passage passage = {0};
    for (gsize i = 0; i < count; i++) {
        if (steps[i] == NULL)
            continue;
        if (passage.at == NULL)
            set_out(&passage, steps[i]);
        bool undone = i == OCP_PASSAGE_UNDONE && i + 2 < count && steps[i + 1] != NULL &&
                      steps[i + 2] != NULL; /* else it is where it set out from */
        take_step(&passage, steps[i], undone, i + 1 == count);
    }
    if (passage.at == NULL)
        return;
    passage.gone = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    passage.here = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    GHashTableIter iter;
    gpointer place, those;
    g_hash_table_iter_init(&iter, passage.at);
    while (g_hash_table_iter_next(&iter, &place, &those))
        if (arrive(&passage, place, those))
            g_hash_table_add(named, g_strdup(place));
    for (guint i = 0; i < passage.count; i++)
        if (passage.all[i].lost)
            note_elements(passage.gone, passage.all[i].pointer);
    for (guint i = 0; i < passage.count; i++) {
        const Traveller *one = &passage.all[i];
        bool silent = !one->moved && !one->arrived;
        if (one->lost || (one->moved && !one->arrived) ||
            (silent && went_along(&passage, one->pointer)))
            g_hash_table_add(named, g_strdup(one->pointer));
    }
    g_hash_table_unref(passage.at);
    g_hash_table_unref(passage.said);
    g_hash_table_unref(passage.gone);
    g_hash_table_unref(passage.here);
    g_free(passage.all);
}
