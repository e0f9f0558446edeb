/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/patch_private.h"

#include <string.h>

/*
 * Copies in the merge. A value that holds copies is put back with a hole for each; when
 * the result is complete, each hole is filled with what its original has become, or
 * closed. What is filled in holds no holes itself, so nothing can contain itself.
 */

typedef struct {
    OcpNode *link;             /* stands in the result */
    const OcpPatchPlace *copy; /* its site is the original, its at the path */
    const OcpPatchPlace *place;
    const OcpNode *found;
} Hole;

/* The elements of an array of the result, by key and by place. */
typedef struct {
    GHashTable *by_key;
    OcpPatchElements elements;
} List;

struct OcpPatchHoles {
    OcpNode *open;      /* what open holes link to */
    GArray *holes;      /* Hole, in the order of the merge */
    GHashTable *around; /* containers of the result with a hole below */
    GPtrArray *parents; /* those with a hole as a child */
    GHashTable *lists;  /* array -> List */
    GHashTable *bytes;  /* original -> its bytes */
    gsize budget;
};

static void
free_list(gpointer data)
{
    List *list = data;
    if (list->by_key != NULL)
        g_hash_table_unref(list->by_key);
    ocp_patch_elements_clear(&list->elements);
    g_free(list);
}

static OcpPatchHoles *
holes_new(OcpPatchApply *apply)
{
    OcpPatchHoles *holes = g_new0(OcpPatchHoles, 1);
    holes->open = ocp_make_null(apply->made);
    holes->holes = g_array_new(FALSE, FALSE, sizeof(Hole));
    holes->around = g_hash_table_new(NULL, NULL);
    holes->parents = g_ptr_array_new();
    holes->lists = g_hash_table_new_full(NULL, NULL, NULL, free_list);
    holes->bytes = g_hash_table_new(NULL, NULL);
    holes->budget = OCP_PATCH_COPIED;
    return holes;
}

void
ocp_patch_holes_free(OcpPatchHoles *holes)
{
    if (holes == NULL)
        return;
    g_array_unref(holes->holes);
    g_hash_table_unref(holes->around);
    g_ptr_array_unref(holes->parents);
    g_hash_table_unref(holes->lists);
    g_hash_table_unref(holes->bytes);
    g_free(holes);
}

/* ---- where the copies are -------------------------------------------------- */

static void
add_copy(OcpPatchApply *apply, OcpPatchPlace *copies, const OcpNode *path,
         const OcpNode *original)
{
    g_autoptr(GString) token = g_string_new(NULL);
    gsize left;
    const char *at = ocp_text(path, apply->tree.arena, &left);
    const char *text = ocp_arena_copy(apply->tree.arena, at, left);
    gsize used;
    while ((used = ocp_patch_step(at, left, NULL, g_string_truncate(token, 0))) > 0) {
        copies = ocp_patch_tree_add(&apply->tree, copies, false, token);
        at += used;
        left -= used;
    }
    copies->site = original;
    copies->at = text;
}

static void
find_copies(OcpPatchApply *apply, OcpPatchPlace *place)
{
    const OcpNode *copy = ocp_patch_part(place, "copy");
    const OcpNode *path;
    const OcpNode *original;
    if (copy != NULL) {
        if (apply->holes == NULL)
            apply->holes = holes_new(apply);
        place->copies = ocp_arena_new_of(apply->tree.arena, OcpPatchPlace);
        memset(place->copies, 0, sizeof *place->copies);
    }
    for (OcpIter iter = ocp_iter(copy); ocp_iter_member(&iter, &path, &original);)
        add_copy(apply, place->copies, path, original);
    for (OcpPatchPlace *at = place->first; at != NULL; at = at->next)
        find_copies(apply, at);
}

void
ocp_patch_holes_init(OcpPatchApply *apply)
{
    find_copies(apply, &apply->tree.root);
}

static OcpPatchPlace *
find_name(const OcpPatchApply *apply, const OcpPatchPlace *copies, const char *name)
{
    return copies != NULL
               ? ocp_patch_tree_find(&apply->tree, copies, false, name, strlen(name))
               : NULL;
}

static OcpPatchPlace *
find_index(const OcpPatchApply *apply, const OcpPatchPlace *copies, guint32 index)
{
    char name[16];
    g_snprintf(name, sizeof name, "%u", index);
    return find_name(apply, copies, name);
}

/* ---- putting back ---------------------------------------------------------- */

static const OcpNode *
dig_hole(OcpPatchApply *apply, const OcpPatchPlace *place, OcpPatchPlace *copy)
{
    OcpNode *link = ocp_node_new(apply->made, OCP_LINK);
    link->flags = OCP_NODE_MADE;
    link->place = OCP_NO_PLACE;
    link->as.target = apply->holes->open;
    Hole hole = {link, copy, place, NULL};
    g_array_append_val(apply->holes->holes, hole);
    copy->met = true;
    return link;
}

static const OcpNode *
put_back(OcpPatchApply *apply, const OcpPatchPlace *place, OcpPatchPlace *copy,
         const OcpNode *value)
{
    if (copy == NULL)
        return value;
    if (copy->site != NULL && value->kind == OCP_NULL)
        return dig_hole(apply, place, copy);
    if (copy->first == NULL || !ocp_is_container(value))
        return value;
    bool object = value->kind == OCP_OBJECT;
    OcpBuilder build = ocp_build(apply->made, object ? ocp_make_object(apply->made)
                                                     : ocp_make_array(apply->made));
    guint32 index = 0;
    for (const OcpNode *at = ocp_first_child(value); at != NULL; at = at->next) {
        const OcpNode *key = ocp_deref(at);
        OcpPatchPlace *below = NULL;
        if (object) {
            below = ocp_patch_place_of(&apply->tree, copy, key);
            at = at->next;
        } else {
            below = find_index(apply, copy, index++);
        }
        const OcpNode *child = put_back(apply, place, below, ocp_deref(at));
        if (object)
            ocp_build_member(&build, key, child);
        else
            ocp_build_element(&build, child);
    }
    ocp_patch_built(apply, build.container);
    return build.container;
}

const OcpNode *
ocp_patch_restore(OcpPatchApply *apply, const OcpPatchPlace *place, const char *part,
                  const OcpNode *name, guint32 index, const OcpNode *value)
{
    if (place->copies == NULL)
        return value;
    OcpPatchPlace *copy = find_name(apply, place->copies, part);
    if (copy != NULL && name != NULL)
        copy = ocp_patch_place_of(&apply->tree, copy, name);
    else if (copy != NULL)
        copy = find_index(apply, copy, index);
    if (strcmp(part, "was") == 0)
        copy = find_name(apply, copy, "1");
    else if (strcmp(part, "new") == 0)
        copy = find_name(apply, copy, "value");
    return put_back(apply, place, copy, value);
}

void
ocp_patch_built(OcpPatchApply *apply, OcpNode *container)
{
    ocp_patch_seal(apply->made, container);
    OcpPatchHoles *holes = apply->holes;
    if (holes == NULL)
        return;
    bool parent = false;
    bool around = false;
    for (const OcpNode *at = ocp_first_child(container); at != NULL; at = at->next) {
        const OcpNode *child = ocp_deref(at);
        parent = parent || child == holes->open;
        around = around || g_hash_table_contains(holes->around, child);
    }
    if (parent)
        g_ptr_array_add(holes->parents, container);
    if (parent || around)
        g_hash_table_add(holes->around, container);
}

/* ---- originals ------------------------------------------------------------- */

static List *
list_of(OcpPatchApply *apply, const OcpNode *array)
{
    List *list = g_hash_table_lookup(apply->holes->lists, array);
    if (list == NULL) {
        list = g_new0(List, 1);
        g_hash_table_insert(apply->holes->lists, (gpointer)array, list);
    }
    return list;
}

static const OcpPatchElements *
elements_of(OcpPatchApply *apply, List *list, const OcpNode *array)
{
    if (list->elements.nodes == NULL)
        ocp_patch_elements_init(&list->elements, array, apply->keys);
    return &list->elements;
}

static const OcpNode *
find_key(OcpPatchApply *apply, const OcpNode *array, const char *name)
{
    List *list = list_of(apply, array);
    if (list->by_key != NULL)
        return g_hash_table_lookup(list->by_key, name);
    const OcpPatchElements *elements = elements_of(apply, list, array);
    list->by_key = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint32 i = 0; i < elements->size; i++) {
        GString *key = g_string_new(NULL);
        ocp_patch_key_append(elements, i, key);
        g_hash_table_insert(list->by_key, g_string_free(key, FALSE),
                            (gpointer)elements->nodes[i]);
    }
    return g_hash_table_lookup(list->by_key, name);
}

void
ocp_patch_built_element(OcpPatchApply *apply, const OcpNode *array, const char *key,
                        const OcpNode *element)
{
    List *list = list_of(apply, array);
    if (list->by_key == NULL)
        list->by_key = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_hash_table_insert(list->by_key, g_strdup(key), (gpointer)ocp_deref(element));
}

static const OcpNode *
step_down(OcpPatchApply *apply, const OcpNode *node, bool by_key, const GString *token)
{
    if (node->kind == OCP_OBJECT)
        return by_key ? NULL : ocp_member_sized(node, token->str, token->len, NULL);
    if (node->kind != OCP_ARRAY)
        return NULL;
    if (by_key || token->str[0] == '+')
        return find_key(apply, node, token->str);
    guint64 index;
    if (!g_ascii_string_to_unsigned(token->str, 10, 0, G_MAXUINT32, &index, NULL))
        return NULL;
    const OcpPatchElements *elements = elements_of(apply, list_of(apply, node), node);
    return index < elements->size ? elements->nodes[index] : NULL;
}

/* What original has become; NULL if it is gone, or is no place a copy can come from. */
static const OcpNode *
find_original(OcpPatchApply *apply, const OcpNode *result, const OcpNode *original)
{
    g_autoptr(GString) token = g_string_new(NULL);
    gsize left;
    const char *at = ocp_text(original, apply->tree.arena, &left);
    const OcpNode *node = result;
    bool by_key;
    gsize used;
    while (node != NULL && node != apply->holes->open &&
           (used = ocp_patch_step(at, left, &by_key, g_string_truncate(token, 0))) >
               0) {
        node = step_down(apply, node, by_key, token);
        at += used;
        left -= used;
    }
    if (node == NULL || node == apply->holes->open ||
        g_hash_table_contains(apply->holes->around, node))
        return NULL;
    return node;
}

static bool
can_afford(OcpPatchHoles *holes, const OcpNode *node)
{
    gpointer known = g_hash_table_lookup(holes->bytes, node);
    gsize bytes = known != NULL ? GPOINTER_TO_SIZE(known) : ocp_patch_bytes(node);
    if (known == NULL)
        g_hash_table_insert(holes->bytes, (gpointer)node, GSIZE_TO_POINTER(bytes));
    if (bytes > holes->budget)
        return false;
    holes->budget -= bytes;
    return true;
}

/* ---- closing --------------------------------------------------------------- */

/* Takes the children that are still open out of a container. */
static void
close_up(OcpPatchApply *apply, OcpNode *container)
{
    OcpNode *first = (OcpNode *)ocp_first_child(container);
    bool object = container->kind == OCP_OBJECT;
    container->flags &= (guint8)~OCP_NODE_INDEXED;
    container->as.first = NULL;
    container->size = 0;
    OcpNode *last = NULL;
    for (OcpNode *at = first; at != NULL;) {
        OcpNode *value = object ? at->next : at;
        OcpNode *next = value->next;
        if (ocp_deref(value) != apply->holes->open) {
            if (last == NULL)
                container->as.first = at;
            else
                last->next = at;
            last = value;
            last->next = NULL;
            container->size++;
        }
        at = next;
    }
    ocp_patch_seal(apply->made, container);
}

static void
note_unmet(const OcpPatchApply *apply, const OcpPatchPlace *place,
           const OcpPatchPlace *copy)
{
    if (copy->site != NULL && !copy->met)
        ocp_patch_note(apply, OCP_PATCH_ORPHANED, place, copy->at, NULL);
    for (const OcpPatchPlace *at = copy->first; at != NULL; at = at->next)
        note_unmet(apply, place, at);
}

static void
note_all_unmet(const OcpPatchApply *apply, const OcpPatchPlace *place)
{
    if (place->copies != NULL)
        note_unmet(apply, place, place->copies);
    for (const OcpPatchPlace *at = place->first; at != NULL; at = at->next)
        note_all_unmet(apply, at);
}

void
ocp_patch_holes_close(OcpPatchApply *apply, const OcpNode *result)
{
    OcpPatchHoles *holes = apply->holes;
    for (guint i = 0; i < holes->holes->len; i++) {
        Hole *hole = &g_array_index(holes->holes, Hole, i);
        hole->found = find_original(apply, result, hole->copy->site);
        if (hole->found != NULL && !can_afford(holes, hole->found))
            hole->found = NULL;
        ocp_patch_note(apply,
                       hole->found != NULL ? OCP_PATCH_RESTORED : OCP_PATCH_ORPHANED,
                       hole->place, hole->copy->at, hole->found);
    }
    for (guint i = 0; i < holes->holes->len; i++) {
        Hole *hole = &g_array_index(holes->holes, Hole, i);
        if (hole->found != NULL)
            hole->link->as.target = hole->found;
    }
    for (guint i = 0; i < holes->parents->len; i++)
        close_up(apply, holes->parents->pdata[i]);
    note_all_unmet(apply, &apply->tree.root);
}
