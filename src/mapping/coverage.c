/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/coverage_private.h"

#include <string.h>

/* ---- sections -------------------------------------------------------------------- */

/* The second file, if the mapping uses one. */
static OcpDocument *
used_document(const OcpMapping *mapping)
{
    const GPtrArray *lenders = mapping->document->lenders;
    return lenders != NULL && lenders->len > 0 ? lenders->pdata[0] : NULL;
}

/* The section of that name and the file it stands in. */
static const OcpNode *
section(const OcpMapping *mapping, const char *name, OcpDocument **ret)
{
    const OcpNode *node = ocp_member(mapping->document->root, name);
    OcpDocument *used = used_document(mapping);
    *ret = mapping->document;
    if (node != NULL || used == NULL)
        return node;
    *ret = used;
    return ocp_member(used->root, name);
}

static void
walk_section(OcpCoverage *coverage, const char *name, const OcpTemplate *template,
             guint slots, OcpSpot *from, OcpSpot *to, bool marks)
{
    if (template == NULL)
        return;
    g_autofree OcpNameSlot *names = g_new0(OcpNameSlot, slots + 1);
    OcpWalk walk = {.coverage = coverage, .root = from, .names = names, .marks = marks};
    section(coverage->mapping, name, &walk.document);
    walk.current = ocp_things_new(coverage);
    ocp_things_add(walk.current, ocp_thing_of(coverage, from));
    ocp_walk_target(&walk, template, to);
}

static const OcpNode *
path_node(const OcpNode *entry)
{
    return ocp_is(entry, OCP_OBJECT) ? ocp_member(entry, "path") : entry;
}

/* Marks what a path of a list names. */
static void
walk_path(OcpCoverage *coverage, const char *list, guint n, const OcpExpr *path,
          OcpUseKind kind)
{
    OcpWalk walk = {.coverage = coverage, .root = coverage->dialect};
    const OcpNode *node = section(coverage->mapping, list, &walk.document);
    const OcpNode *entry = ocp_element(node, n);
    const OcpNode *text =
        kind == OCP_USE_COPY ? ocp_member(entry, "at") : path_node(entry);
    ocp_walk_turn_to(&walk, text);
    walk.current = ocp_things_new(coverage);
    ocp_things_add(walk.current, ocp_thing_of(coverage, coverage->dialect));
    const OcpThings *things = ocp_walk_expr(&walk, path);
    for (guint i = 0; i < things->len; i++) {
        const OcpThing *thing = things->pdata[i];
        if (thing->spot != NULL)
            ocp_spot_use(thing->spot, kind, 0, entry);
    }
}

static void
walk_paths(OcpCoverage *coverage, const char *list, const GArray *rules,
           OcpUseKind kind)
{
    for (guint i = 0; i < rules->len; i++)
        walk_path(coverage, list, i, g_array_index(rules, OcpPathRule, i).path, kind);
}

static void
walk_open(OcpCoverage *coverage)
{
    const GPtrArray *names = coverage->mapping->open_path;
    OcpSpot *spot = coverage->dialect;
    OcpWalk walk = {.coverage = coverage};
    const OcpNode *node = section(coverage->mapping, "open", &walk.document);
    for (guint i = 0; names != NULL && i < names->len; i++) {
        const char *name = names->pdata[i];
        spot = ocp_spot_member(spot, name, strlen(name));
        if (spot == NULL) {
            ocp_walk_fail(&walk, ocp_member(node, "at"), 0,
                          "the schema does not allow the open place");
            return;
        }
    }
    if (names != NULL)
        ocp_spot_use(spot, OCP_USE_OPEN, 0, NULL);
}

static void
walk_all(OcpCoverage *coverage)
{
    const OcpMapping *mapping = coverage->mapping;
    OcpSpot *dialect = coverage->dialect;
    walk_section(coverage, "read", mapping->read, mapping->read_slots, dialect,
                 coverage->model, true);
    walk_section(coverage, "write", mapping->write, mapping->write_slots,
                 coverage->model, dialect, true);
    walk_section(coverage, "finish", mapping->finish, mapping->finish_slots, dialect,
                 dialect, false);
    for (guint i = 0; i < mapping->checks->len; i++)
        walk_section(coverage, "checks",
                     g_array_index(mapping->checks, OcpRuleCheck, i).say,
                     mapping->check_slots, dialect, NULL, false);
    walk_paths(coverage, "sensitive", mapping->sensitive, OCP_USE_SENSITIVE);
    walk_paths(coverage, "omit", mapping->omit, OCP_USE_OMITTED);
    walk_paths(coverage, "carry", mapping->carry, OCP_USE_CARRIED);
    for (guint i = 0; i < mapping->copies->len; i++)
        walk_path(coverage, "copies", i,
                  g_array_index(mapping->copies, OcpCopyRule, i).at, OCP_USE_COPY);
    walk_open(coverage);
}

/* ---- the verdict ----------------------------------------------------------------- */

enum { DEEPEST = 24 }; /* a schema may lead back to itself */

static void
free_field(gpointer pointer)
{
    OcpField *field = pointer;
    g_free(field->path);
    g_free(field);
}

static void
add_field(OcpCoverage *coverage, const OcpSpot *spot)
{
    OcpField *field = g_new0(OcpField, 1);
    field->path = ocp_spot_path(spot);
    if (spot->shape != NULL) {
        field->description = ocp_shape_description(spot->shape);
        field->kinds = ocp_shape_kinds(spot->shape);
    }
    field->uses = spot->uses;
    g_ptr_array_add(coverage->fields, field);
}

/* Something is done with it or with what is below. */
static bool
is_used(const OcpSpot *spot)
{
    GHashTableIter iter;
    gpointer below;
    if (spot->uses->len > 0)
        return true;
    g_hash_table_iter_init(&iter, spot->children);
    while (g_hash_table_iter_next(&iter, NULL, &below))
        if (is_used(below))
            return true;
    return false;
}

/* It is used with all that is below. */
static bool
is_used_whole(const OcpSpot *spot)
{
    for (guint i = 0; i < spot->uses->len; i++)
        if (g_array_index(spot->uses, OcpUse, i).kind >= OCP_USE_VALUE)
            return true;
    return false;
}

static gint
compare_steps(gconstpointer a, gconstpointer b)
{
    const OcpSpot *left = *(const OcpSpot *const *)a;
    const OcpSpot *right = *(const OcpSpot *const *)b;
    return strcmp(left->step, right->step);
}

/* What the schema declares below. */
static GPtrArray *
declared(OcpSpot *spot)
{
    GPtrArray *below = g_ptr_array_new();
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    if (spot->shape != NULL)
        ocp_spot_children(spot, all);
    for (guint i = 0; i < all->len; i++)
        if (((const OcpSpot *)all->pdata[i])->shape != NULL)
            g_ptr_array_add(below, all->pdata[i]);
    return below;
}

/* What is used below though the schema does not declare it. */
static GPtrArray *
undeclared(const OcpSpot *spot)
{
    GPtrArray *below = g_ptr_array_new();
    GHashTableIter iter;
    gpointer child;
    g_hash_table_iter_init(&iter, spot->children);
    while (g_hash_table_iter_next(&iter, NULL, &child))
        if (((const OcpSpot *)child)->shape == NULL && is_used(child))
            g_ptr_array_add(below, child);
    g_ptr_array_sort(below, compare_steps);
    return below;
}

static void
complain(OcpCoverage *coverage, const OcpSpot *spot)
{
    OcpWalk walk = {.coverage = coverage};
    const OcpNode *node = section(coverage->mapping, "read", &walk.document);
    g_autofree char *path = ocp_spot_path(spot);
    ocp_walk_fail(&walk, node, 0, "%s is neither read, written, carried nor omitted",
                  path);
}

/* covered: something above is used whole; then only what is used apart is of interest.
 */
static void
judge(OcpCoverage *coverage, OcpSpot *spot, bool covered, guint depth)
{
    g_autoptr(GPtrArray) below = declared(spot);
    g_autoptr(GPtrArray) others = undeclared(spot);
    bool used = is_used(spot);
    bool whole = covered || is_used_whole(spot);
    bool last = below->len == 0 || depth == DEEPEST;
    if (!used && covered)
        return;
    if (!used)
        complain(coverage, spot);
    if (!used || last || is_used_whole(spot))
        add_field(coverage, spot);
    if (!used || depth == DEEPEST)
        return;
    for (guint i = 0; i < below->len; i++)
        judge(coverage, below->pdata[i], whole, depth + 1);
    for (guint i = 0; i < others->len; i++)
        judge(coverage, others->pdata[i], whole, depth + 1);
}

/* ---- the whole ------------------------------------------------------------------- */

static void
free_thing(gpointer pointer)
{
    OcpThing *thing = pointer;
    if (thing->members != NULL)
        g_hash_table_unref(thing->members);
    g_free(thing);
}

static void
free_set(gpointer set)
{
    g_ptr_array_unref(set);
}

static void
note_parts(OcpCoverage *coverage, OcpDocument *document)
{
    const OcpNode *name;
    const OcpNode *part;
    OcpIter iter =
        ocp_iter(document != NULL ? ocp_member(document->root, "parts") : NULL);
    while (ocp_iter_member(&iter, &name, &part))
        g_hash_table_insert(coverage->parts, (gpointer)part, document);
}

OcpCoverage *
ocp_coverage_new(const OcpMapping *mapping, const OcpSchema *dialect,
                 const OcpSchema *model, OcpReport *report)
{
    OcpCoverage *coverage = g_new0(OcpCoverage, 1);
    coverage->mapping = mapping;
    coverage->report = report;
    coverage->ok = true;
    coverage->dialect = ocp_spot_root(dialect, false);
    coverage->model = ocp_spot_root(model, true);
    coverage->parts = g_hash_table_new(NULL, NULL);
    coverage->said = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    coverage->pool = g_ptr_array_new_with_free_func(free_thing);
    coverage->sets = g_ptr_array_new_with_free_func(free_set);
    coverage->spots = g_hash_table_new(NULL, NULL);
    coverage->fields = g_ptr_array_new_with_free_func(free_field);
    coverage->anything = ocp_thing_new(coverage);
    note_parts(coverage, mapping->document);
    note_parts(coverage, used_document(mapping));
    walk_all(coverage);
    if (mapping->read != NULL || mapping->write != NULL)
        judge(coverage, coverage->dialect, false, 0);
    return coverage;
}

void
ocp_coverage_free(OcpCoverage *coverage)
{
    if (coverage == NULL)
        return;
    g_ptr_array_unref(coverage->fields);
    g_hash_table_unref(coverage->spots);
    g_ptr_array_unref(coverage->sets);
    g_ptr_array_unref(coverage->pool);
    g_hash_table_unref(coverage->said);
    g_hash_table_unref(coverage->parts);
    ocp_spot_free(coverage->model);
    ocp_spot_free(coverage->dialect);
    g_free(coverage);
}

static gint
compare_texts(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Adds the spots whose value that rule takes. */
static void
find_sources(const OcpSpot *spot, guint rule, GPtrArray *out)
{
    GHashTableIter iter;
    gpointer below;
    bool found = false;
    for (guint i = 0; i < spot->uses->len; i++) {
        const OcpUse *use = &g_array_index(spot->uses, OcpUse, i);
        found = found || (use->rule == rule &&
                          (use->kind == OCP_USE_VALUE || use->kind == OCP_USE_PIECE));
    }
    if (found)
        g_ptr_array_add(out, ocp_spot_path(spot));
    g_hash_table_iter_init(&iter, spot->children);
    while (g_hash_table_iter_next(&iter, NULL, &below))
        find_sources(below, rule, out);
}

GPtrArray *
ocp_coverage_sources(const OcpCoverage *coverage, guint rule)
{
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
    find_sources(coverage->model, rule, paths);
    g_ptr_array_sort(paths, compare_texts);
    return paths;
}

const GPtrArray *
ocp_coverage_fields(const OcpCoverage *coverage)
{
    return coverage->fields;
}

bool
ocp_mapping_coverage(const OcpMapping *mapping, const OcpSchema *dialect,
                     const OcpSchema *model, OcpReport *report)
{
    g_autoptr(OcpCoverage) coverage = ocp_coverage_new(mapping, dialect, model, report);
    return coverage->ok;
}
