/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/patch_private.h"
#include "value/equal.h"

#include <string.h>

/*
 * Copies in the diff: values of s that repeat another value of s. Where the original
 * will stand in the merged result is known only when the diff is done; until then a
 * link holds the place of every copy.
 */

typedef struct {
    OcpNode *link;
    const OcpNode *s;
    char *of;    /* pointer of the original in s */
    char *place; /* pointer in the patch */
} Hole;

typedef struct {
    const OcpNode *w;
    OcpPatchPairs pairs;
} Arrays;

struct OcpPatchCopies {
    GArray *holes;      /* Hole, site after site */
    GPtrArray *above;   /* containers of s around the pair at work */
    guint told;         /* so many of them are in around */
    GHashTable *around; /* containers of s that have a hole below */
    GHashTable *arrays; /* array of s -> Arrays */
    GHashTable *lists;  /* array -> OcpPatchElements, made when asked for */
    gsize budget;       /* bytes that copies may still stand for */
};

/* More could not come from a patch that means no harm to its reader, who allows more
 * than this (OCP_PATCH_COPIED). */
enum { OCP_COPIES_BYTES = OCP_PATCH_COPIED / 8 };

static void
clear_hole(gpointer data)
{
    Hole *hole = data;
    g_free(hole->of);
    g_free(hole->place);
}

static void
free_arrays(gpointer data)
{
    Arrays *arrays = data;
    ocp_patch_pairs_clear(&arrays->pairs);
    g_free(arrays);
}

static void
free_list(gpointer data)
{
    ocp_patch_elements_clear(data);
    g_free(data);
}

void
ocp_patch_pairs_clear(OcpPatchPairs *pairs)
{
    g_string_free(pairs->key, TRUE);
    g_free(pairs->partner);
    g_free(pairs->taken);
    g_free(pairs->fresh);
    g_free(pairs->same);
    ocp_patch_elements_clear(&pairs->w);
    ocp_patch_elements_clear(&pairs->s);
}

OcpPatchCopies *
ocp_patch_copies_new(void)
{
    OcpPatchCopies *copies = g_new0(OcpPatchCopies, 1);
    copies->holes = g_array_new(FALSE, FALSE, sizeof(Hole));
    g_array_set_clear_func(copies->holes, clear_hole);
    copies->above = g_ptr_array_new();
    copies->around = g_hash_table_new(NULL, NULL);
    copies->arrays = g_hash_table_new_full(NULL, NULL, NULL, free_arrays);
    copies->lists = g_hash_table_new_full(NULL, NULL, NULL, free_list);
    copies->budget = OCP_COPIES_BYTES;
    return copies;
}

void
ocp_patch_copies_free(OcpPatchCopies *copies)
{
    if (copies == NULL)
        return;
    g_array_unref(copies->holes);
    g_ptr_array_unref(copies->above);
    g_hash_table_unref(copies->around);
    g_hash_table_unref(copies->arrays);
    g_hash_table_unref(copies->lists);
    g_free(copies);
}

void
ocp_patch_copies_enter(OcpPatchCopies *copies, const OcpNode *s)
{
    g_ptr_array_add(copies->above, (gpointer)s);
}

void
ocp_patch_copies_leave(OcpPatchCopies *copies)
{
    g_ptr_array_set_size(copies->above, (gint)copies->above->len - 1);
    copies->told = MIN(copies->told, copies->above->len);
}

void
ocp_patch_copies_keep(OcpPatchCopies *copies, const OcpNode *w, const OcpNode *s,
                      const OcpPatchPairs *pairs)
{
    Arrays *arrays = g_new(Arrays, 1);
    arrays->w = w;
    arrays->pairs = *pairs;
    g_hash_table_replace(copies->arrays, (gpointer)s, arrays);
}

const OcpNode *
ocp_patch_copies_add(OcpPatchDiff *diff, const OcpNode *s)
{
    OcpPatchCopies *copies = diff->copies;
    if (strlen(diff->place->str) != diff->place->len) {
        ocp_patch_report(diff, s); /* U+0000 in a name: no path can say it */
        return s;
    }
    OcpNode *link = ocp_node_new(diff->made, OCP_LINK);
    link->flags = OCP_NODE_MADE;
    link->place = OCP_NO_PLACE;
    link->as.target = s;
    Hole hole = {link, s, g_strdup(diff->keys->copy_of(s, diff->keys->data)),
                 g_strdup(diff->place->str)};
    g_array_append_val(copies->holes, hole);
    for (; copies->told < copies->above->len; copies->told++)
        g_hash_table_add(copies->around, copies->above->pdata[copies->told]);
    return link;
}

/* ---- where originals stand ------------------------------------------------- */

typedef struct {
    OcpPatchDiff *diff;
    const OcpNode *w; /* beside s, as long as both are containers of one kind */
    const OcpNode *s;
    guint steps;
    GString *original; /* the way, by keys */
} Walk;

static const OcpPatchElements *
list_of(OcpPatchDiff *diff, const OcpNode *array)
{
    OcpPatchElements *list = g_hash_table_lookup(diff->copies->lists, array);
    if (list == NULL) {
        list = g_new0(OcpPatchElements, 1);
        ocp_patch_elements_init(list, array, NULL);
        g_hash_table_insert(diff->copies->lists, (gpointer)array, list);
    }
    return list;
}

/* Arrays that the diff did not enter are equal: one to one. */
static const Arrays *
arrays_of(Walk *walk)
{
    OcpPatchCopies *copies = walk->diff->copies;
    const Arrays *known = g_hash_table_lookup(copies->arrays, walk->s);
    if (known != NULL)
        return known->w == walk->w ? known : NULL;
    if (walk->w != walk->s && !ocp_equal(walk->w, walk->s))
        return NULL;
    OcpPatchPairs pairs = {.key = g_string_new(NULL)};
    ocp_patch_elements_init(&pairs.w, walk->w, walk->diff->keys);
    ocp_patch_elements_init(&pairs.s, walk->s, NULL);
    pairs.partner = g_new(guint32, pairs.s.size);
    for (guint32 i = 0; i < pairs.s.size; i++)
        pairs.partner[i] = i;
    ocp_patch_copies_keep(copies, walk->w, walk->s, &pairs);
    return g_hash_table_lookup(copies->arrays, walk->s);
}

static bool
walk_pair(Walk *walk, guint32 i)
{
    const Arrays *arrays = arrays_of(walk);
    if (arrays == NULL)
        return false;
    const OcpPatchPairs *pairs = &arrays->pairs;
    walk->s = pairs->s.nodes[i];
    if (pairs->partner[i] != OCP_PATCH_NONE) {
        g_string_append(walk->original, "/#");
        ocp_patch_key_append(&pairs->w, pairs->partner[i], walk->original);
        walk->w = pairs->w.nodes[pairs->partner[i]];
        return true;
    }
    g_string_append_printf(walk->original, "/+%u", pairs->fresh[i]);
    walk->w = NULL;
    return pairs->fresh[i] != OCP_PATCH_NONE;
}

static bool
walk_element(Walk *walk, const GString *token)
{
    guint64 i;
    if (!g_ascii_string_to_unsigned(token->str, 10, 0, G_MAXUINT32, &i, NULL) ||
        i >= walk->s->size)
        return false;
    if (walk->w != NULL)
        return walk_pair(walk, (guint32)i);
    /* of this its elements may be lost, and the places shift */
    if (ocp_patch_is_touched(walk->diff, walk->s))
        return false;
    g_string_append_printf(walk->original, "/%u", (guint32)i);
    walk->s = list_of(walk->diff, walk->s)->nodes[i];
    return true;
}

static bool
walk_step(Walk *walk, const GString *token)
{
    if (ocp_is(walk->s, OCP_ARRAY)) {
        if (!walk_element(walk, token))
            return false;
    } else {
        walk->s = ocp_member_sized(walk->s, token->str, token->len, NULL);
        walk->w = ocp_member_sized(walk->w, token->str, token->len, NULL);
        ocp_patch_push_text(walk->original, token->str, token->len);
    }
    /* deeper than the patch goes all is carried whole */
    walk->steps++;
    if (!ocp_is_container(walk->w) || walk->s == NULL ||
        walk->w->kind != walk->s->kind || walk->steps >= OCP_PATCH_STEPS)
        walk->w = NULL;
    return walk->s != NULL && !ocp_patch_is_replaced(walk->diff, walk->s) &&
           !ocp_patch_skips(walk->diff, walk->s);
}

/* The original of a hole in s, its way in walk->original; NULL if it cannot be one. */
static const OcpNode *
find_original(Walk *walk, const Hole *hole, GString *token)
{
    const char *at = hole->of;
    gsize left = strlen(at);
    gsize used;
    while ((used = ocp_patch_step(at, left, NULL, g_string_truncate(token, 0))) > 0) {
        if (walk->steps >= OCP_PATCH_STEPS || !walk_step(walk, token))
            return NULL;
        at += used;
        left -= used;
    }
    return left == 0 ? walk->s : NULL;
}

/* Equal, and where the order of members counts, in that too. */
static bool
repeats(const OcpPatchDiff *diff, const OcpNode *a, const OcpNode *b)
{
    if (!diff->keys->member_order)
        return ocp_equal(a, b);
    if (a == b)
        return true;
    if (a->kind != b->kind || (ocp_is_container(a) && a->size != b->size))
        return false;
    if (!ocp_is_container(a))
        return ocp_equal(a, b);
    const OcpNode *left = ocp_first_child(a);
    const OcpNode *right = ocp_first_child(b);
    for (; left != NULL; left = left->next, right = right->next)
        if (!repeats(diff, ocp_deref(left), ocp_deref(right)))
            return false;
    return true;
}

gsize
ocp_patch_bytes(const OcpNode *node)
{
    gsize bytes = sizeof *node;
    if (!ocp_is_container(node))
        return bytes + node->size;
    for (const OcpNode *at = ocp_first_child(node); at != NULL; at = at->next)
        bytes += ocp_patch_bytes(ocp_deref(at));
    return bytes;
}

static bool
has_steps_to_say_it(const Hole *hole)
{
    gsize steps = 0;
    for (const char *at = hole->place; *at != '\0'; at++)
        steps += *at == '/';
    return steps <= OCP_PATCH_STEPS;
}

/* An original must come back whole, and by itself: nothing in it may be a copy. */
static bool
may_be_original(OcpPatchDiff *diff, const Hole *hole, const OcpNode *original)
{
    if (!has_steps_to_say_it(hole))
        return false;
    if (original == NULL || original == hole->s ||
        ocp_patch_is_touched(diff, original) ||
        g_hash_table_contains(diff->copies->around, original) ||
        !repeats(diff, original, hole->s) || ocp_patch_holds_skipped(diff, original))
        return false;
    gsize bytes = ocp_patch_bytes(original);
    if (bytes > diff->copies->budget)
        return false;
    diff->copies->budget -= bytes;
    return true;
}

/* ---- closing --------------------------------------------------------------- */

static void
add_copies(OcpPatchDiff *diff, OcpNode *site, OcpNode *copies)
{
    if (copies->size == 0)
        return;
    ocp_patch_seal(diff->made, copies);
    OcpBuilder build = ocp_build(diff->made, site);
    for (build.last = site->as.first; build.last->next != NULL;)
        build.last = build.last->next;
    ocp_build_named(&build, "copy", copies);
}

/* Handles the holes of one site from *i on. */
static void
close_site(OcpPatchDiff *diff, Walk *walk, OcpNode *site, guint64 number, guint *i)
{
    g_autoptr(GString) token = g_string_new(NULL);
    OcpBuilder build = ocp_build(diff->made, ocp_make_object(diff->made));
    const OcpNode *w = walk->w;
    const OcpNode *s = walk->s;
    for (; *i < diff->copies->holes->len; (*i)++) {
        Hole *hole = &g_array_index(diff->copies->holes, Hole, *i);
        char *path;
        if (g_ascii_strtoull(hole->place + 1, &path, 10) != number)
            break;
        Walk way = {diff, w, s, 0, g_string_truncate(walk->original, 0)};
        if (may_be_original(diff, hole, find_original(&way, hole, token))) {
            hole->link->as.target = ocp_make_null(diff->made);
            ocp_build_named(
                &build, path,
                ocp_make_string(diff->made, walk->original->str, walk->original->len));
            continue;
        }
        g_string_assign(diff->place, hole->place);
        ocp_patch_report(diff, hole->s);
    }
    add_copies(diff, site, build.container);
}

void
ocp_patch_copies_close(OcpPatchDiff *diff, const OcpNode *w, const OcpNode *s)
{
    g_autoptr(GString) original = g_string_new(NULL);
    Walk walk = {diff, w, s, 0, original};
    guint i = 0;
    guint64 number = 0;
    for (const OcpNode *at = ocp_first_child(diff->patch.container); at != NULL;
         at = at->next)
        close_site(diff, &walk, (OcpNode *)ocp_deref(at), number++, &i);
}
