/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/read.h"

#include <string.h>

#include "mapping/copies.h"
#include "mapping/describe.h"
#include "mapping/fates.h"
#include "mapping/hide.h"
#include "mapping/reread.h"
#include "mapping/returned.h"
#include "mapping/stash.h"
#include "mapping/withheld.h"
#include "schema/format.h"
#include "text/canonical.h"

/* One reading, from the source to the finished model. */
typedef struct {
    const OcpReadRequest *request;
    OcpReport *report;
    OcpPlaces *places;
    OcpHidden *hidden;
    OcpStash *stash; /* or NULL */
    OcpCore *core;
    OcpDocument *made;   /* core's */
    const OcpNode *tree; /* the model without derivation and carry */
    OcpDocument *plain;  /* the same, as a document of its own */
    OcpDraft *draft;     /* W of it */
    const OcpNode *patch;
    GHashTable *carried;    /* source node -> pointer in the model; or what is lost */
    GHashTable *copies;     /* source node -> OcpCopy */
    GHashTable *withheld;   /* set of source nodes; or NULL */
    const OcpNode *made_id; /* what the engine made, or NULL where a stash brought it */
    const OcpNode *made_time;
    const OcpNode *made_source;
    char *time_note;   /* where the time came from, for the derivation */
    char *patch_place; /* pointer in the model */
} Reading;

static void
reading_clear(Reading *reading)
{
    if (reading->carried != NULL)
        g_hash_table_unref(reading->carried);
    if (reading->copies != NULL)
        g_hash_table_unref(reading->copies);
    if (reading->withheld != NULL)
        g_hash_table_unref(reading->withheld);
    ocp_draft_free(reading->draft);
    ocp_document_unref(reading->plain);
    ocp_core_free(reading->core);
    ocp_stash_free(reading->stash);
    ocp_hidden_free(reading->hidden);
    ocp_places_free(reading->places);
    g_free(reading->time_note);
    g_free(reading->patch_place);
}

/* ---- id, time, source ------------------------------------------------------------ */

static const OcpNode *
choose_time(Reading *reading)
{
    const OcpFacts *facts = reading->request->facts;
    const OcpNode *own = ocp_member(reading->tree, "created_at");
    const char *text = NULL;
    if (facts->created_at != NULL) {
        text = facts->created_at;
        reading->time_note = g_strdup("created_at is the time that was given");
    } else if (own != NULL) {
        if (reading->core->created_at == own)
            reading->made_time = own;
        return own;
    } else if (facts->fallback != NULL) {
        text = facts->fallback;
        reading->time_note =
            g_strdup("created_at is the time of the file: the source records no time");
    } else {
        ocp_fail(reading->report, "created-at.unknown",
                 "the source records no time of capture; give one with --created-at");
        return NULL;
    }
    reading->made_time = ocp_make_text(reading->made, text);
    return reading->made_time;
}

static const OcpNode *
choose_id(Reading *reading)
{
    const OcpReadRequest *request = reading->request;
    const OcpNode *own = ocp_member(reading->tree, "id");
    if (request->facts->id == NULL && own != NULL)
        return own;
    g_autofree char *derived =
        request->facts->id != NULL
            ? g_strdup(request->facts->id)
            : ocp_engine_id(request->mapping->dialect, request->source->root);
    reading->made_id = ocp_make_text(reading->made, derived);
    return reading->made_id;
}

static bool
put_engine_parts(Reading *reading)
{
    const OcpNode *time = choose_time(reading);
    if (time == NULL)
        return false;
    const OcpNode *id = choose_id(reading);
    reading->tree = ocp_engine_head(reading->made, reading->tree, id, time);
    bool exact = reading->stash != NULL && reading->stash->exact;
    if (!exact && ocp_engine_find_source(reading->tree) == NULL) {
        OcpNode *source = ocp_engine_source(reading->made, reading->request->facts);
        reading->made_source = source;
        reading->tree = ocp_engine_with_resource(reading->made, reading->tree, source);
    }
    return true;
}

static bool
make_core(Reading *reading)
{
    const OcpReadRequest *request = reading->request;
    g_autoptr(OcpShape) shape = ocp_shape_root(request->model_schema);
    OcpDocument *memory = ocp_document_new(NULL);
    OcpCoreInput input = {.mapping = request->mapping,
                          .source = request->source,
                          .places = reading->places,
                          .input = ocp_engine_input(memory, request->facts),
                          .hidden = reading->hidden->unseen,
                          .rename =
                              reading->stash != NULL ? reading->stash->rename : NULL,
                          .model_shape = shape,
                          .traced = true};
    reading->core = ocp_core_read(&input);
    reading->made = reading->core->made;
    ocp_document_borrow(reading->made, memory);
    ocp_document_unref(memory);
    reading->tree = ocp_engine_head(reading->made, reading->core->root, NULL,
                                    reading->core->created_at);
    if (reading->stash != NULL)
        reading->tree = ocp_stash_apply(reading->stash, reading->made, reading->tree);
    return put_engine_parts(reading) &&
           ocp_recopy(reading->tree, reading->report, &reading->plain);
}

/* ---- the carry ------------------------------------------------------------------- */

static bool
skips(const OcpNode *node, gpointer data)
{
    Reading *reading = data;
    if (!reading->request->sensitive_keep &&
        g_hash_table_contains(reading->hidden->sensitive, node))
        return true;
    return g_hash_table_contains(reading->hidden->omitted, node);
}

static char *
patch_place(const OcpMapping *mapping)
{
    GString *place = g_string_new("/extensions");
    ocp_pointer_push(place, mapping->key, strlen(mapping->key));
    g_string_append(place, "/patch");
    return g_string_free(place, FALSE);
}

static void
note_carried(const OcpNode *node, const char *pointer, gpointer data)
{
    Reading *reading = data;
    char *place = g_strconcat(reading->patch_place, pointer, NULL);
    g_hash_table_insert(reading->carried, (gpointer)node, place);
}

static void
make_patch(Reading *reading)
{
    const OcpReadRequest *request = reading->request;
    OcpDraftInput draft = {.mapping = request->mapping, .model = reading->plain};
    reading->draft = ocp_draft_write(&draft);
    reading->carried = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    reading->patch_place = patch_place(request->mapping);
    bool untouched = reading->stash != NULL && reading->stash->untouched;
    reading->copies =
        ocp_copies_find(request->mapping, request->source->root, reading->places);
    OcpCarryDiff diff = {.mapping = request->mapping,
                         .core = reading->core,
                         .draft = reading->draft,
                         .source = request->source,
                         .root = untouched
                                     ? ocp_stash_bare(reading->made, request->mapping,
                                                      request->source->root)
                                     : request->source->root,
                         .skip = skips,
                         .instead = ocp_make_text(reading->made, OCP_OMITTED),
                         .own_instead = reading->hidden->instead,
                         .carried = note_carried,
                         .copies = reading->copies,
                         .data = reading};
    reading->patch = ocp_carry_diff(&diff, reading->made);
}

/* ---- no carry -------------------------------------------------------------------- */

static const char *
key_back(const OcpNode *element, gpointer data)
{
    Reading *reading = data;
    return ocp_draft_key(element, reading->draft);
}

static const char *
made_of(const OcpNode *element, guint n, gpointer data)
{
    Reading *reading = data;
    const GPtrArray *ids = ocp_run_made_ids(reading->core->run, element);
    return ids != NULL && n < ids->len ? ids->pdata[n] : NULL;
}

/* Nothing completes what the model gives back: its own dialect will write it like any
 * other that it does not know, so that is what is compared. */
static bool
find_lost(Reading *reading)
{
    const OcpReadRequest *request = reading->request;
    const OcpNode *back = NULL;
    if (!ocp_returned_write(request->mapping, reading->plain, request->sensitive_keep,
                            reading->report, &reading->draft, &back))
        return false;
    OcpPatchKeys keys = {.key = key_back, .made = made_of, .data = reading};
    reading->carried = ocp_returned_lost(request->source->root, back, &keys);
    return true;
}

/* What the result does not say by itself: it goes into the carry, or is lost. */
static bool
find_rest(Reading *reading)
{
    const OcpReadRequest *request = reading->request;
    if (!request->carry_none)
        make_patch(reading);
    else if (!find_lost(reading))
        return false;
    reading->withheld = g_hash_table_new(NULL, NULL);
    bool found = request->sensitive_keep ||
                 ocp_withheld_find(request->mapping, reading->draft, request->source,
                                   reading->hidden, reading->report, reading->withheld);
    g_clear_pointer(&reading->draft, ocp_draft_free); /* of a large document, soon */
    g_clear_pointer(&reading->plain, ocp_document_unref);
    return found;
}

/* ---- account and derivation ------------------------------------------------------ */

static OcpAccount *
make_account(Reading *reading)
{
    const OcpReadRequest *request = reading->request;
    g_autoptr(GHashTable) omitted = g_hash_table_new(NULL, NULL);
    g_autoptr(GHashTable) mapped = g_hash_table_new(NULL, NULL);
    GHashTableIter iter;
    gpointer node, reason;
    g_hash_table_iter_init(&iter, reading->hidden->sensitive);
    while (!request->sensitive_keep && g_hash_table_iter_next(&iter, &node, NULL))
        g_hash_table_insert(omitted, node, (gpointer) "sensitive");
    g_hash_table_iter_init(&iter, reading->withheld);
    while (g_hash_table_iter_next(&iter, &node, NULL))
        g_hash_table_insert(omitted, node, (gpointer) "sensitive");
    g_hash_table_iter_init(&iter, reading->hidden->omitted);
    while (g_hash_table_iter_next(&iter, &node, &reason))
        g_hash_table_insert(omitted, node, reason);
    if (reading->stash != NULL)
        g_hash_table_add(mapped, (gpointer)reading->stash->node);
    OcpFatesInput input = {.mapping = request->mapping,
                           .source = request->source->root,
                           .trace = reading->core->trace,
                           .result = reading->tree,
                           .carried = reading->carried,
                           .copies = reading->copies,
                           .omitted = omitted,
                           .mapped = mapped,
                           .refused = request->carry_none ? "irrelevant" : NULL,
                           .refused_asked = true,
                           .brief = request->brief,
                           .to_model = true};
    return ocp_fates_account(&input);
}

static OcpNode *
make_derivation(Reading *reading, const OcpAccount *account)
{
    g_autoptr(OcpDerivation) derivation = ocp_derivation_new("converted");
    const OcpNode *session =
        ocp_element(ocp_member(ocp_member(reading->tree, "source"), "session_refs"), 0);
    if (session != NULL)
        ocp_derivation_input_session(derivation, session);
    if (reading->made_id != NULL && reading->request->facts->id == NULL)
        ocp_derivation_transform(
            derivation,
            "id is made from the dialect and the digest of the source's value", NULL,
            0);
    if (reading->time_note != NULL)
        ocp_derivation_transform(derivation, reading->time_note, NULL, 0);
    const GPtrArray *changes = reading->request->facts->changes;
    for (guint i = 0; changes != NULL && i < changes->len; i++) {
        static const char *const source[] = {"source"};
        ocp_derivation_transform(derivation, changes->pdata[i], source,
                                 reading->made_source != NULL ? 1 : 0);
    }
    ocp_describe_derivation(reading->request->mapping, account, derivation);
    return ocp_derivation_build(derivation, reading->made);
}

/* ---- the finished model ---------------------------------------------------------- */

static gint
compare_texts(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The place in the extension of a source node that is carried; NULL if it is not. */
static char *
place_in_carry(Reading *reading, const OcpNode *node)
{
    const char *root = NULL;
    const OcpNode *at = node;
    for (; at != NULL; at = ocp_places_parent(reading->places, at)) {
        root = g_hash_table_lookup(reading->carried, at);
        if (root != NULL)
            break;
    }
    if (root == NULL)
        return NULL;
    const char *patch = strstr(root, "/patch");
    g_autoptr(GString) whole = g_string_new(NULL);
    g_autoptr(GString) above = g_string_new(NULL);
    ocp_places_pointer(reading->places, node, whole);
    ocp_places_pointer(reading->places, at, above);
    return g_strconcat(patch != NULL ? patch : root, whole->str + above->len, NULL);
}

/* Values that travel in the carry though they are sensitive, by their place in the
 * extension: on a further hop they are found there. */
static const OcpNode *
sensitive_list(Reading *reading)
{
    OcpBuilder list = ocp_build(reading->made, ocp_make_array(reading->made));
    if (!reading->request->sensitive_keep)
        return list.container;
    g_autoptr(GPtrArray) pointers = g_ptr_array_new_with_free_func(g_free);
    GHashTableIter iter;
    gpointer node;
    g_hash_table_iter_init(&iter, reading->hidden->sensitive);
    while (g_hash_table_iter_next(&iter, &node, NULL)) {
        char *place = place_in_carry(reading, node);
        if (place != NULL)
            g_ptr_array_add(pointers, place);
    }
    g_ptr_array_sort(pointers, compare_texts);
    for (guint i = 0; i < pointers->len; i++)
        ocp_build_element(&list, ocp_make_text(reading->made, pointers->pdata[i]));
    return list.container;
}

static bool
wants_extension(Reading *reading)
{
    if (reading->request->carry_none)
        return false;
    if (reading->stash == NULL || !reading->stash->untouched)
        return true;
    g_autofree char *digest = ocp_canonical_digest(reading->patch, OCP_CANONICAL_VALUE);
    return !ocp_stash_has_carry(reading->stash, digest);
}

static const OcpNode *
put_extension(Reading *reading, const OcpNode *tree, const OcpNode *derivation)
{
    const OcpMapping *mapping = reading->request->mapping;
    OcpDocument *made = reading->made;
    OcpBuilder digests = ocp_build(made, ocp_make_object(made));
    ocp_carry_digest(&digests, "id", reading->made_id);
    ocp_carry_digest(&digests, "created_at", reading->made_time);
    ocp_carry_digest(&digests, "derivation", derivation);
    ocp_carry_digest(&digests, "source", reading->made_source);
    if (reading->request->facts->provenance_key != NULL)
        ocp_carry_digest(&digests, "provenance",
                         reading->request->facts->provenance->root);
    if (reading->stash != NULL && !reading->stash->untouched)
        ocp_carry_digest(&digests, "model", tree);
    const OcpNode *extension = ocp_carry_build(made, mapping, digests.container,
                                               sensitive_list(reading), reading->patch);
    const char *const path[] = {"extensions", mapping->key};
    return ocp_with_member(made, tree, path, 2, extension);
}

/* Where the source was found, if it did not stand by itself. */
static const OcpNode *
put_provenance(Reading *reading, const OcpNode *tree)
{
    const OcpFacts *facts = reading->request->facts;
    if (facts->provenance_key == NULL)
        return tree;
    const char *const path[] = {"extensions", facts->provenance_key};
    ocp_document_borrow(reading->made, facts->provenance);
    return ocp_with_member(reading->made, tree, path, 2, facts->provenance->root);
}

static const OcpNode *
finished_tree(Reading *reading, const OcpReadResult *result)
{
    const OcpNode *tree = reading->tree;
    const OcpNode *derivation = NULL;
    bool exact = reading->stash != NULL && reading->stash->exact;
    if (!exact && ocp_member(tree, "derivation") == NULL) {
        static const char *const path[] = {"derivation"};
        derivation = make_derivation(reading, result->account);
        tree = ocp_with_member(reading->made, tree, path, 1, derivation);
    }
    if (wants_extension(reading))
        tree = put_extension(reading, tree, derivation);
    return put_provenance(reading, tree);
}

/* Makes the model's text; nothing of the reading is left when it is read. */
static bool
write_model(Reading *reading, OcpReadResult *result)
{
    if (!find_rest(reading))
        return false;
    result->account = make_account(reading);
    const OcpNode *tree = finished_tree(reading, result);
    OcpDocument *made = ocp_document_ref(reading->made);
    reading_clear(reading);
    result->text = ocp_rewrite(tree);
    ocp_document_unref(made);
    return true;
}

static bool
model_is_sound(const OcpReadRequest *request, const OcpReadResult *result)
{
    g_autoptr(OcpReport) quiet = ocp_report_new();
    OcpCheckOptions options = {0};
    return ocp_schema_check(request->model_schema, result->model, result->model->root,
                            &options, quiet) &&
           ocp_model_check(result->model, result->model->root, quiet);
}

static bool
attempt(const OcpReadRequest *request, OcpStash *stash, OcpReport *report,
        OcpReadResult **ret)
{
    Reading reading = {.request = request, .report = report, .stash = stash};
    bool doubtful = stash != NULL;
    g_autoptr(OcpReadResult) result = g_new0(OcpReadResult, 1);
    reading.places = ocp_places_new(request->source);
    reading.hidden = ocp_hidden_new(request->mapping, request->source->root);
    bool ok = make_core(&reading) && write_model(&reading, result);
    if (!ok)
        reading_clear(&reading);
    ok = ok && ocp_reread(result->text, report, &result->model) &&
         (!doubtful || model_is_sound(request, result));
    if (ok)
        *ret = g_steal_pointer(&result);
    return ok;
}

bool
ocp_mapping_read(const OcpReadRequest *request, OcpReport *report, OcpReadResult **ret)
{
    OcpStash *stash = ocp_stash_find(request->mapping, request->source, report);
    if (stash != NULL) {
        g_autoptr(OcpReport) quiet = ocp_report_new();
        if (attempt(request, stash, quiet, ret)) {
            ocp_report_move(report, quiet);
            return true;
        }
        ocp_report_add(
            report, OCP_WARNING, "stash.refused",
            "what the document keeps of an earlier model does not give a valid "
            "model here; it is carried as data");
    }
    return attempt(request, NULL, report, ret);
}

void
ocp_read_result_free(OcpReadResult *result)
{
    if (result == NULL)
        return;
    ocp_document_unref(result->model);
    if (result->text != NULL)
        g_bytes_unref(result->text);
    ocp_account_free(result->account);
    g_free(result);
}
