/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Converts one checkpoint with libocp: convert FILE [DIALECT [TIME]]
 * cc convert.c $(pkg-config --cflags --libs libocp)
 */
#include <ocp.h>
#include <stdio.h>
#include <stdlib.h>

static char *
read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    size_t room = 0;
    *size = 0;
    if (file == NULL)
        return NULL;
    do {
        room = room * 2 + 65536;
        bytes = realloc(bytes, room);
        if (bytes == NULL)
            exit(EXIT_FAILURE);
        *size += fread(bytes + *size, 1, room - *size, file);
    } while (*size == room);
    fclose(file);
    return bytes;
}

static void
print_messages(const OcpReport *report)
{
    static const char *const levels[] = {"note", "loss", "warning", "error"};
    for (size_t i = 0; i < ocp_count_messages(report); i++) {
        unsigned line, column;
        ocp_message_place(report, i, &line, &column);
        fprintf(stderr, "%u:%u: %s: %s [%s]\n", line, column,
                levels[ocp_message_level(report, i)],
                ocp_message_text(report, i, OCP_MESSAGE_TEXT),
                ocp_message_text(report, i, OCP_MESSAGE_CODE));
    }
}

static void
print_conversion(const OcpConversion *conversion)
{
    size_t size;
    const char *text = ocp_conversion_text(conversion, &size);
    fwrite(text, 1, size, stdout);
    fprintf(stderr,
            "%s to %s: %zu values: %zu mapped, %zu kept, %zu carried, %zu omitted\n",
            ocp_conversion_from(conversion), ocp_conversion_to(conversion),
            ocp_count_values(conversion), ocp_count_fate(conversion, OCP_VALUE_MAPPED),
            ocp_count_fate(conversion, OCP_VALUE_KEPT),
            ocp_count_fate(conversion, OCP_VALUE_CARRIED),
            ocp_count_fate(conversion, OCP_VALUE_OMITTED));
}

int
main(int argc, char **argv)
{
    size_t size = 0;
    char *bytes = argc > 1 ? read_file(argv[1], &size) : NULL;
    if (bytes == NULL) {
        fprintf(stderr, "usage: convert FILE [DIALECT [TIME]]\n");
        return 2;
    }
    OcpConverter *converter = ocp_new_converter();
    OcpReport *report = ocp_new_report();
    OcpDocument **documents = NULL;
    OcpConversion *conversion = NULL;
    OcpSettings settings = OCP_SETTINGS_DEFAULT;
    settings.to = argc > 2 ? argv[2] : NULL;
    settings.created_at = argc > 3 ? argv[3] : NULL; /* or what the document says */
    bool done =
        ocp_read_documents(converter, bytes, size, argv[1], OCP_READ_AUTO, report,
                           &documents) &&
        ocp_convert_document(converter, documents[0], &settings, report, &conversion);
    print_messages(report);
    if (done)
        print_conversion(conversion);
    ocp_free_conversion(conversion);
    ocp_free_documents(documents);
    ocp_free_report(report);
    ocp_free_converter(converter);
    free(bytes);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
