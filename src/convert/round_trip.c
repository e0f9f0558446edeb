/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "convert/context.h"
#include "convert/differences.h"
#include "convert/passage.h"
#include "convert/route.h"
#include "text/json.h"

static GHashTable *
places_new(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

/* Names what has one of the fates: 1 << OcpFate, or more of them. */
static void
name_fates(GHashTable *named, const OcpAccount *account, guint fates)
{
    for (guint i = 0; account != NULL && i < account->fates->len; i++) {
        const OcpLeaf *leaf = account->fates->pdata[i];
        if ((fates & (1u << leaf->fate)) != 0)
            g_hash_table_add(named, g_strdup(leaf->pointer));
    }
}

/* True if what the document kept of a model that is not valid was not taken back, and
 * that was said: none of it came back. */
static bool
is_refused(const OcpReport *report, guint from)
{
    for (guint i = from; i < report->diagnostics->len; i++) {
        const OcpDiagnostic *diagnostic = report->diagnostics->pdata[i];
        if (strcmp(diagnostic->code, "stash.refused") == 0)
            return true;
    }
    return false;
}

/* Places of what an account made or changed. */
static void
add_made(GHashTable *places, const OcpAccount *account)
{
    for (guint i = 0; account != NULL && i < account->made->len; i++) {
        const OcpMadeLeaf *leaf = account->made->pdata[i];
        g_hash_table_add(places, g_strdup(leaf->pointer));
    }
    for (guint i = 0; account != NULL && i < account->changes->len; i++) {
        const OcpChange *change = account->changes->pdata[i];
        g_hash_table_add(places, g_strdup(change->place));
    }
    for (guint i = 0; account != NULL && i < account->fates->len; i++) {
        const OcpLeaf *leaf = account->fates->pdata[i]; /* shown changed */
        if (leaf->fate == OCP_FATE_OMITTED && leaf->place != NULL)
            g_hash_table_add(places, g_strdup(leaf->place));
    }
}

/* Where the leaves at these places show after one more step; a step without an account
 * leaves them where they are. */
static void
follow(GHashTable *places, const OcpAccount *account)
{
    if (account == NULL)
        return;
    g_autoptr(GPtrArray) next = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < account->fates->len; i++) {
        const OcpLeaf *leaf = account->fates->pdata[i];
        if (leaf->place == NULL || !g_hash_table_contains(places, leaf->pointer))
            continue;
        g_ptr_array_add(next, g_strdup(leaf->place));
        for (guint n = 0; leaf->places != NULL && n < leaf->places->len; n++)
            g_ptr_array_add(next, g_strdup(leaf->places->pdata[n]));
    }
    g_hash_table_remove_all(places);
    g_ptr_array_set_free_func(next, NULL);
    for (guint i = 0; i < next->len; i++)
        g_hash_table_add(places, next->pdata[i]);
}

static void
add_shown(GHashTable *shown, const OcpAccount *account)
{
    for (guint i = 0; account != NULL && i < account->fates->len; i++) {
        const OcpLeaf *leaf = account->fates->pdata[i];
        if (leaf->place != NULL)
            g_hash_table_add(shown, g_strdup(leaf->place));
        for (guint n = 0; leaf->places != NULL && n < leaf->places->len; n++)
            g_hash_table_add(shown, g_strdup(leaf->places->pdata[n]));
    }
}

/* What was made or changed on any of the four steps, by its place in the end. */
static void
name_made(GHashTable *named, const OcpOutcome *there, const OcpOutcome *back)
{
    const OcpAccount *steps[] = {there->read, there->write, back->read, back->write};
    g_autoptr(GHashTable) places = places_new();
    for (gsize i = 0; i < G_N_ELEMENTS(steps); i++) {
        follow(places, steps[i]);
        add_made(places, steps[i]);
    }
    GHashTableIter iter;
    gpointer place;
    g_hash_table_iter_init(&iter, places);
    while (g_hash_table_iter_next(&iter, &place, NULL))
        g_hash_table_add(named, g_strdup(place));
}

/* What reading puts around a model that comes back: the derivation and the carry. */
static void
name_engine_parts(GHashTable *named, const OcpPrepared *there)
{
    g_hash_table_add(named, g_strdup("/derivation"));
    if (there->mapping->key == NULL)
        return;
    GString *pointer = g_string_new("/extensions");
    ocp_pointer_push(pointer, there->mapping->key, strlen(there->mapping->key));
    g_hash_table_add(named, g_string_free(pointer, FALSE));
}

/* What a document keeps of the model in its open place was not there before. */
static void
name_open_place(GHashTable *named, const OcpMapping *mapping)
{
    if (mapping->open_path == NULL)
        return;
    GString *pointer = g_string_new(NULL);
    for (guint i = 0; i < mapping->open_path->len; i++)
        ocp_pointer_push(pointer, mapping->open_path->pdata[i],
                         strlen(mapping->open_path->pdata[i]));
    g_hash_table_add(named, g_string_free(pointer, FALSE));
}

static bool
back_again(OcpContext *context, const OcpOutcome *there, const OcpOrigin *origin,
           const OcpConvertOptions *options, OcpReport *report, OcpDocument **ret,
           OcpOutcome **ret_outcome)
{
    g_autoptr(GPtrArray) documents = NULL;
    OcpLimits limits = OCP_LIMITS_DEFAULT;
    OcpSyntax syntax =
        options->syntax == OCP_SYNTAX_YAML ? OCP_SYNTAX_YAML : OCP_SYNTAX_JSON;
    if (!ocp_source_read(there->text, origin->name, syntax, &limits, report,
                         &documents))
        return false;
    OcpConvertOptions back = *options;
    back.from = there->to;
    back.to = there->from;
    back.strict = false;
    back.lenient = options->lenient || there->faulty; /* told on the way there */
    back.syntax = OCP_SYNTAX_JSON;
    back.id = NULL;
    back.created_at = NULL;
    g_autoptr(OcpOutcome) outcome = NULL;
    if (!ocp_convert(context, documents->pdata[0], origin, &back, report, &outcome) ||
        !ocp_json_read(outcome->text, NULL, &limits, report, ret))
        return false;
    *ret_outcome = g_steal_pointer(&outcome);
    return true;
}

static bool
name_target(OcpContext *context, const OcpOutcome *there, OcpReport *report,
            GHashTable *named)
{
    OcpPrepared target;
    if (!ocp_registry_find(context->registry, there->to, report, &target.dialect) ||
        !ocp_dialect_mapping(context->registry, target.dialect, report,
                             &target.mapping))
        return false;
    name_engine_parts(named, &target);
    return true;
}

bool
ocp_round_trip(OcpContext *context, OcpDocument *document, const OcpOrigin *origin,
               const OcpConvertOptions *options, OcpReport *report, GPtrArray **ret)
{
    OcpPrepared prepared;
    if (!ocp_prepare(context, document, options->from, report, &prepared))
        return false;
    OcpConvertOptions once = *options;
    once.from = prepared.dialect->label;
    once.strict = false;
    g_autoptr(OcpOutcome) there = NULL;
    g_autoptr(OcpOutcome) back = NULL;
    g_autoptr(OcpDocument) result = NULL;
    if (!ocp_convert(context, document, origin, &once, report, &there))
        return false;
    guint said_there = report->diagnostics->len;
    if (!back_again(context, there, origin, &once, report, &result, &back))
        return false;
    g_autoptr(GHashTable) named = places_new();
    g_autoptr(GHashTable) moved = places_new();
    g_autoptr(GHashTable) shown = places_new();
    g_autoptr(OcpHidden) hidden = ocp_hidden_new(prepared.mapping, document->root);
    name_fates(named, there->route, 1u << OCP_FATE_OMITTED);
    name_fates(named, there->write, 1u << OCP_FATE_OMITTED);
    name_open_place(named, prepared.mapping);
    if (is_refused(report, said_there))
        name_fates(named, there->route, 1u << OCP_FATE_KEPT | 1u << OCP_FATE_CARRIED);
    if (ocp_dialect_is_model(prepared.dialect) &&
        !name_target(context, there, report, named))
        return false;
    name_made(named, there, back);
    if (there->read != NULL && g_str_has_prefix(there->to, prepared.dialect->name))
        add_made(named, there->write); /* one dialect: the same places */
    const OcpAccount *steps[] = {there->read, there->write, back->read, back->write};
    ocp_passage_name(moved, steps, G_N_ELEMENTS(steps));
    add_shown(shown, back->write != NULL ? back->write : back->read);
    OcpDifferencesNamed said = {.named = named,
                                .moved = moved,
                                .shown = shown,
                                .hidden = hidden,
                                .by_value = document->yaml ||
                                            options->syntax == OCP_SYNTAX_YAML};
    *ret = ocp_differences_find(&said, document->root, result->root);
    return true;
}
