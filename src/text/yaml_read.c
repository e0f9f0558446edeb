/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "text/yaml_graft.h"
#include "text/yaml_reader.h"
#include "text/yaml_scalar.h"
#include "value/pointer.h"

/*
 * From libyaml's events to documents. Open containers are an explicit stack; a
 * container is attached to the one above it when it is complete.
 */

typedef struct {
    OcpNode *node; /* the value; of a scalar that is a key too */
    OcpNode spelt; /* a scalar as it is written: what it is as a key */
    bool open;     /* a container that is not complete */
} Anchor;

typedef struct {
    OcpBuilder build;
    OcpNode *key;      /* object: a key that waits for its value */
    bool merging;      /* object: "<<" waits for its value; key is it */
    GPtrArray *merges; /* values of "<<", or NULL */
    Anchor *anchor;    /* of this container, or NULL */
} Frame;

static OcpDocument *
new_document(GBytes *bytes, const char *name)
{
    OcpDocument *document = ocp_document_new(name);
    document->bytes = g_bytes_ref(bytes);
    document->text = g_bytes_get_data(bytes, &document->length);
    if (document->text == NULL)
        document->text = "";
    document->yaml = true;
    return document;
}

/* ---- places and messages --------------------------------------------------------- */

/* libyaml counts characters; its places hardly ever go back. */
static gsize
byte_of(OcpYamlReader *reader, gsize character)
{
    const char *text = reader->document->text;
    gsize length = reader->document->length;
    if (reader->check.ascii)
        return MIN(reader->base + character, length);
    while (reader->at_char < character && reader->at_byte < length) {
        reader->at_byte += (gsize)g_utf8_skip[(guchar)text[reader->at_byte]];
        reader->at_char++;
    }
    while (reader->at_char > character) {
        do
            reader->at_byte--;
        while (((guchar)text[reader->at_byte] & 0xC0) == 0x80);
        reader->at_char--;
    }
    return reader->at_byte;
}

/* Gives the newest diagnostics, from the one at first on, the pointer of this moment.
 */
static void
point(const OcpYamlReader *reader, guint first)
{
    GPtrArray *diagnostics = reader->report->diagnostics;
    if (first == diagnostics->len)
        return;
    g_autoptr(GString) pointer = g_string_new(NULL);
    for (guint i = 0; i < reader->frames->len; i++) {
        const Frame *frame = &g_array_index(reader->frames, Frame, i);
        if (frame->build.container->kind == OCP_ARRAY)
            ocp_pointer_push_index(pointer, frame->build.container->size);
        else if (frame->key != NULL)
            ocp_pointer_push_key(pointer, frame->key);
    }
    for (guint i = first; i < diagnostics->len; i++) {
        OcpDiagnostic *diagnostic = diagnostics->pdata[i];
        if (diagnostic->pointer == NULL)
            diagnostic->pointer = g_strdup(pointer->str);
    }
}

static bool
fail_syntax(OcpYamlReader *reader)
{
    const yaml_parser_t *parser = &reader->parser;
    gsize place = byte_of(reader, parser->problem_mark.index);
    if (parser->error == YAML_READER_ERROR) /* libyaml gives no line here */
        place = MIN(reader->base + parser->problem_offset, reader->document->length);
    const char *problem = parser->problem != NULL ? parser->problem : "out of memory";
    ocp_fail_at(reader->report, reader->document, (guint32)place, "yaml.syntax",
                "not valid YAML: %s%s%s",
                parser->context != NULL ? parser->context : "",
                parser->context != NULL ? ", " : "", problem);
    if (strstr(problem, "could not find expected ':'") != NULL) {
        OcpDiagnostic *last = g_ptr_array_index(reader->report->diagnostics,
                                                reader->report->diagnostics->len - 1);
        last->hint = g_strdup("a key ends on its line and has at most 1024 characters, "
                              "unless it is written \"? key\"");
    }
    return false;
}

/* ---- attaching values ------------------------------------------------------------ */

static Frame *
top(const OcpYamlReader *reader)
{
    return reader->frames->len == 0
               ? NULL
               : &g_array_index(reader->frames, Frame, reader->frames->len - 1);
}

static bool
expects_key(const OcpYamlReader *reader)
{
    const Frame *frame = top(reader);
    return frame != NULL && frame->build.container->kind == OCP_OBJECT &&
           frame->key == NULL;
}

static void
attach(OcpYamlReader *reader, OcpNode *node)
{
    Frame *frame = top(reader);
    if (frame == NULL) {
        reader->document->root = node;
    } else if (frame->build.container->kind == OCP_ARRAY) {
        ocp_build_raw(&frame->build, node);
        frame->build.container->size++;
    } else if (frame->key == NULL) {
        frame->key = node;
    } else if (frame->merging) {
        if (frame->merges == NULL)
            frame->merges = g_ptr_array_new();
        g_ptr_array_add(frame->merges, node);
        frame->key = NULL;
        frame->merging = false;
    } else {
        ocp_build_raw(&frame->build, frame->key);
        ocp_build_raw(&frame->build, node);
        frame->build.container->size++;
        frame->key = NULL;
    }
}

static Anchor *
add_anchor(OcpYamlReader *reader, const yaml_char_t *name, OcpNode *node, bool open)
{
    if (name == NULL)
        return NULL;
    Anchor *anchor = ocp_arena_new_of(reader->document->arena, Anchor);
    anchor->node = node;
    anchor->spelt = *node;
    anchor->open = open;
    g_hash_table_replace(reader->anchors, g_strdup((const char *)name), anchor);
    return anchor;
}

/* ---- scalars --------------------------------------------------------------------- */

/* "! text" is text, but libyaml tells it from "text" only by its place. */
static bool
is_plain(const OcpYamlReader *reader, const OcpYamlItem *item)
{
    return item->event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
           item->event->data.scalar.tag == NULL &&
           memchr(reader->document->text + item->start, '!',
                  item->content - item->start) == NULL;
}

/* A key is its text, whatever type that would have as a value; "<<" merges. */
static void
look_at_key(OcpYamlReader *reader, const OcpNode *node, const OcpYamlItem *item)
{
    const char *tag = (const char *)item->event->data.scalar.tag;
    g_autoptr(GString) number = g_string_new(NULL);
    bool plain = (node->flags & OCP_NODE_PLAIN) != 0;
    bool merge = tag == NULL ? plain && ocp_text_is(node, "<<")
                             : strcmp(tag, "tag:yaml.org,2002:merge") == 0;
    Frame *frame = top(reader);
    frame->merging = merge;
    if (merge || !plain || reader->odd_key != OCP_NO_PLACE ||
        !ocp_yaml_may_have_type(node->as.text, node->size))
        return;
    const char *text = node->as.text;
    if (ocp_yaml_type(text, node->size, OCP_YAML_1_1, number) != OCP_YAML_TEXT ||
        ocp_yaml_type(text, node->size, OCP_YAML_1_2, number) != OCP_YAML_TEXT)
        reader->odd_key = node->place;
}

static bool
read_scalar(OcpYamlReader *reader, const OcpYamlItem *item)
{
    OcpNode *node = ocp_node_new(reader->document, OCP_STRING);
    node->place = (guint32)item->start;
    if (is_plain(reader, item))
        node->flags |= OCP_NODE_PLAIN;
    guint before = reader->report->diagnostics->len;
    if (!ocp_yaml_take_text(reader, node, item))
        return false;
    point(reader, before);
    const yaml_char_t *anchor = item->event->data.scalar.anchor;
    const char *tag = (const char *)item->event->data.scalar.tag;
    OcpNode *key = NULL;
    if (expects_key(reader)) {
        key = node;
        look_at_key(reader, key, item);
        if (anchor == NULL && (tag == NULL || top(reader)->merging)) {
            attach(reader, key);
            return true;
        }
        node = ocp_node_new(reader->document, OCP_STRING);
        node->flags = key->flags;
        node->place = key->place;
        node->size = key->size;
        node->as.text = key->as.text;
    }
    add_anchor(reader, anchor, node, false);
    bool done = ocp_yaml_resolve(reader->document, node, tag, reader->report);
    if (done) {
        point(reader, before);
        attach(reader, key != NULL ? key : node);
    }
    return done;
}

/* ---- containers and aliases ------------------------------------------------------ */

static bool
open_container(OcpYamlReader *reader, const OcpYamlItem *item, OcpKind kind)
{
    const yaml_event_t *event = item->event;
    bool object = kind == OCP_OBJECT;
    const char *tag = (const char *)(object ? event->data.mapping_start.tag
                                            : event->data.sequence_start.tag);
    const yaml_char_t *anchor =
        object ? event->data.mapping_start.anchor : event->data.sequence_start.anchor;
    guint32 place = (guint32)item->start;
    if (reader->frames->len >= reader->limits->depth)
        return ocp_fail_at(reader->report, reader->document, place, "yaml.depth",
                           "nested deeper than %u levels", reader->limits->depth);
    if (expects_key(reader))
        return ocp_fail_at(reader->report, reader->document, place, "yaml.key",
                           "A %s cannot be a key", object ? "mapping" : "list");
    if (tag != NULL && *tag != '\0' && strcmp(tag, "!") != 0 &&
        strcmp(tag, object ? "tag:yaml.org,2002:map" : "tag:yaml.org,2002:seq") != 0)
        return ocp_yaml_fail_tag(reader->document, place, tag, reader->report);
    OcpNode *node = ocp_node_new(reader->document, kind);
    node->place = place;
    Frame frame = {.build = ocp_build(reader->document, node)};
    frame.anchor = add_anchor(reader, anchor, node, true);
    g_array_append_val(reader->frames, frame);
    return true;
}

static bool
complete_object(OcpYamlReader *reader, Frame *frame)
{
    OcpNode *object = frame->build.container;
    if (frame->merges != NULL &&
        !ocp_yaml_merge(reader->document, object, frame->merges, reader->report))
        return false;
    const OcpNode *twin = ocp_object_seal(reader->document, object);
    if (twin == NULL)
        return true;
    frame->key = (OcpNode *)twin; /* for the pointer */
    return ocp_fail_at(reader->report, reader->document, twin->place,
                       "yaml.duplicate-key", "the mapping has this key twice");
}

static bool
close_container(OcpYamlReader *reader)
{
    Frame *frame = top(reader);
    OcpNode *node = frame->build.container;
    if (node->kind == OCP_OBJECT && !complete_object(reader, frame))
        return false;
    if (frame->anchor != NULL)
        frame->anchor->open = false;
    g_clear_pointer(&frame->merges, g_ptr_array_unref);
    g_array_set_size(reader->frames, reader->frames->len - 1);
    attach(reader, node);
    return true;
}

static bool
read_alias(OcpYamlReader *reader, const OcpYamlItem *item)
{
    const char *name = (const char *)item->event->data.alias.anchor;
    guint32 place = (guint32)item->start;
    const Anchor *anchor = g_hash_table_lookup(reader->anchors, name);
    if (anchor == NULL)
        return ocp_fail_at(reader->report, reader->document, place, "yaml.alias",
                           "no anchor &%.60s stands before this alias", name);
    if (anchor->open)
        return ocp_fail_at(reader->report, reader->document, place, "yaml.alias",
                           "the value of &%.60s would contain itself", name);
    bool key = expects_key(reader);
    if (key && ocp_is_container(anchor->node))
        return ocp_fail_at(reader->report, reader->document, place, "yaml.key",
                           "A mapping or list cannot be a key");
    OcpNode *node =
        ocp_yaml_copy(reader->document, anchor->node, reader->frames->len,
                      reader->limits, place, &reader->budget, reader->report);
    if (node == NULL)
        return false;
    if (key) {
        node->kind = OCP_STRING;
        node->flags = anchor->spelt.flags;
        node->as.text = anchor->spelt.as.text;
        node->size = anchor->spelt.size;
    }
    attach(reader, node);
    return true;
}

/* ---- the stream ------------------------------------------------------------------ */

static void
start_document(OcpYamlReader *reader)
{
    ocp_document_unref(reader->document);
    reader->document = new_document(reader->bytes, reader->name);
    g_hash_table_remove_all(reader->anchors);
}

static bool
read_event(OcpYamlReader *reader, yaml_event_t *event)
{
    OcpYamlItem item = {.event = event,
                        .start = byte_of(reader, event->start_mark.index)};
    item.end = MAX(byte_of(reader, event->end_mark.index), item.start);
    if (!ocp_yaml_look_around(reader, &item))
        return false;
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT: start_document(reader); return true;
    case YAML_DOCUMENT_END_EVENT:
        g_ptr_array_add(reader->documents, ocp_document_ref(reader->document));
        return true;
    case YAML_SCALAR_EVENT: return read_scalar(reader, &item);
    case YAML_ALIAS_EVENT: return read_alias(reader, &item);
    case YAML_SEQUENCE_START_EVENT: return open_container(reader, &item, OCP_ARRAY);
    case YAML_MAPPING_START_EVENT: return open_container(reader, &item, OCP_OBJECT);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: return close_container(reader);
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT: break;
    }
    return true;
}

static bool
read_stream(OcpYamlReader *reader)
{
    for (bool end = false; !end;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&reader->parser, &event))
            return fail_syntax(reader);
        bool done = read_event(reader, &event);
        end = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
        if (!done)
            return false;
    }
    if (reader->documents->len == 0)
        return ocp_fail_at(reader->report, reader->document, 0, "yaml.empty",
                           "the text holds no document");
    return true;
}

/* What is said once a stream. */
static void
add_notes(OcpYamlReader *reader)
{
    if (reader->comment != OCP_NO_PLACE) {
        OcpDiagnostic *note =
            ocp_report_add(reader->report, OCP_NOTE, "yaml.comments",
                           "comments are no part of the value and are not kept");
        ocp_diagnostic_locate(note, reader->document, reader->comment);
    }
    if (reader->odd_key != OCP_NO_PLACE) {
        OcpDiagnostic *note = ocp_report_add(reader->report, OCP_NOTE, "yaml.key-text",
                                             "A key that YAML does not read as text is "
                                             "taken as the text it is written as");
        ocp_diagnostic_locate(note, reader->document, reader->odd_key);
    }
}

static bool
run(OcpYamlReader *reader)
{
    const char *text =
        reader->check.copy != NULL ? reader->check.copy : reader->document->text;
    if (reader->document->length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        reader->base = reader->at_byte = 3;
    if (!yaml_parser_initialize(&reader->parser))
        return ocp_fail(reader->report, "yaml.memory", "out of memory");
    yaml_parser_set_encoding(&reader->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reader->parser,
                                 (const unsigned char *)text + reader->base,
                                 reader->document->length - reader->base);
    guint before = reader->report->diagnostics->len;
    bool done = read_stream(reader);
    if (done)
        add_notes(reader);
    else
        point(reader, MAX(before + 1, reader->report->diagnostics->len) - 1);
    yaml_parser_delete(&reader->parser);
    return done;
}

static void
release_document(gpointer document)
{
    ocp_document_unref(document);
}

static void
clear_frame(gpointer frame)
{
    g_clear_pointer(&((Frame *)frame)->merges, g_ptr_array_unref);
}

bool
ocp_yaml_read(GBytes *bytes, const char *name, const OcpLimits *limits,
              OcpReport *report, GPtrArray **ret)
{
    OcpYamlReader reader = {.bytes = bytes,
                            .name = name,
                            .limits = limits,
                            .report = report,
                            .budget = limits->alias_nodes,
                            .comment = OCP_NO_PLACE,
                            .odd_key = OCP_NO_PLACE};
    reader.document = new_document(bytes, name);
    reader.documents = g_ptr_array_new_with_free_func(release_document);
    reader.frames = g_array_new(FALSE, FALSE, sizeof(Frame));
    g_array_set_clear_func(reader.frames, clear_frame);
    reader.anchors = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    bool done =
        ocp_yaml_check(reader.document, limits, report, &reader.check) && run(&reader);
    if (done)
        *ret = g_ptr_array_ref(reader.documents);
    g_ptr_array_unref(reader.documents);
    g_array_unref(reader.frames);
    g_hash_table_unref(reader.anchors);
    ocp_document_unref(reader.document);
    ocp_yaml_check_clear(&reader.check);
    return done;
}
