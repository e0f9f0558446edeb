/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that lives on json-c reads a checkpoint of any dialect as OpenCheckpoint,
 * changes its title, and writes it in the dialect it came in:
 * edit-with-json-c FILE TITLE
 * cc edit-with-json-c.c $(pkg-config --cflags --libs ocp-json)
 */
#include <ocp_json.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 16 * 1024 * 1024 };

static int
fail(const OcpReport *report)
{
    for (size_t i = 0; i < ocp_count_messages(report); i++)
        if (ocp_message_level(report, i) == OCP_LEVEL_ERROR)
            fprintf(stderr, "%s\n", ocp_message_text(report, i, OCP_MESSAGE_TEXT));
    return EXIT_FAILURE;
}

/* The document of a text. */
static bool
read_text(OcpConverter *converter, const char *text, size_t size, const char *name,
          OcpReport *report, OcpDocument ***ret)
{
    return ocp_read_documents(converter, text, size, name, OCP_READ_AUTO, report, ret);
}

/* What json-c does with it: here, a new title. */
static void
edit(struct json_object *checkpoint, const char *title)
{
    struct json_object *task = NULL;
    if (json_object_object_get_ex(checkpoint, "task", &task))
        json_object_object_add(task, "title", json_object_new_string(title));
}

static bool
edit_model(OcpConverter *converter, const OcpConversion *conversion, const char *title,
           OcpReport *report, OcpDocument **ret)
{
    size_t size;
    const char *model = ocp_conversion_text(conversion, &size);
    OcpDocument **documents = NULL;
    struct json_object *object = NULL;
    if (!read_text(converter, model, size, "model.json", report, &documents))
        return false;
    bool done = ocp_document_to_json_c(documents[0], report, &object);
    if (done) {
        edit(object, title);
        done = ocp_document_from_json_c(object, "edited", report, ret);
        json_object_put(object);
    }
    ocp_free_documents(documents);
    return done;
}

static bool
run(OcpConverter *converter, OcpDocument *document, const char *title,
    OcpReport *report)
{
    OcpConversion *there = NULL;
    OcpConversion *back = NULL;
    OcpDocument *edited = NULL;
    OcpSettings settings = OCP_SETTINGS_DEFAULT;
    bool done = ocp_convert_document(converter, document, NULL, report, &there) &&
                edit_model(converter, there, title, report, &edited);
    if (done) {
        settings.to = ocp_conversion_from(there);
        done = ocp_convert_document(converter, edited, &settings, report, &back);
    }
    if (done) {
        size_t size;
        const char *text = ocp_conversion_text(back, &size);
        fwrite(text, 1, size, stdout);
    }
    ocp_free_conversion(back);
    ocp_free_document(edited);
    ocp_free_conversion(there);
    return done;
}

int
main(int argc, char **argv)
{
    FILE *file = argc == 3 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL) {
        fprintf(stderr, "usage: edit-with-json-c FILE TITLE\n");
        return 2;
    }
    char *bytes = malloc(MOST);
    size_t size = bytes != NULL ? fread(bytes, 1, MOST, file) : 0;
    fclose(file);
    OcpConverter *converter = ocp_new_converter();
    OcpReport *report = ocp_new_report();
    OcpDocument **documents = NULL;
    bool done = read_text(converter, bytes, size, argv[1], report, &documents) &&
                run(converter, documents[0], argv[2], report);
    int status = done ? EXIT_SUCCESS : fail(report);
    ocp_free_documents(documents);
    ocp_free_report(report);
    ocp_free_converter(converter);
    free(bytes);
    return status;
}
