/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "batch/input.h"
#include "batch/names.h"
#include "batch/output.h"
#include "cli/dialects.h"
#include "cli/messages.h"
#include "text/embedded.h"

#ifndef OCP_VERSION
#define OCP_VERSION "0.1.0"
#endif

struct OcpFolder {
    OcpFolderSetup setup;
    OcpState *state; /* NULL: none is kept */
    OcpDigest options;
    GMutex lock;
    GHashTable *made; /* folders that are there */
};

/* ---- what decides what an output is ---------------------------------------- */

static void
sum_text(GChecksum *sum, const char *text)
{
    g_autofree char *head =
        g_strdup_printf("%" G_GSIZE_FORMAT ":", text != NULL ? strlen(text) + 1 : 0);
    g_checksum_update(sum, (const guchar *)head, -1);
    if (text != NULL)
        g_checksum_update(sum, (const guchar *)text, -1);
}

/* The options that an output depends on, the version, and all schemas and mappings. */
static bool
sum_options(const OcpFolderSetup *setup, OcpReport *report, OcpDigest *ret)
{
    const OcpOptions *options = setup->options;
    const OcpConvertOptions *convert = &options->convert;
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    sum_text(sum, OCP_VERSION);
    for (const OcpEmbedded *file = ocp_embedded_files; file->name != NULL; file++)
        g_checksum_update(sum, file->bytes, (gssize)file->size);
    sum_text(sum, convert->from);
    sum_text(sum, convert->to);
    sum_text(sum, convert->created_at);
    sum_text(sum, convert->id);
    g_autofree char *rest = g_strdup_printf(
        "%d %d %d %d %d %d %d %" G_GINT64_FORMAT, (int)convert->syntax,
        (int)options->input_syntax, convert->lenient, convert->strict,
        convert->carry_none, convert->sensitive_keep, options->companion, setup->epoch);
    sum_text(sum, rest);
    if (!ocp_dialects_sum_folders(options, sum, report))
        return false;
    gsize length = sizeof ret->bytes;
    g_checksum_get_digest(sum, ret->bytes, &length);
    return true;
}

/* ---- the folder ------------------------------------------------------------ */

bool
ocp_folder_new(const OcpFolderSetup *setup, OcpReport *report, OcpFolder **ret)
{
    g_autoptr(OcpFolder) folder = g_new0(OcpFolder, 1);
    folder->setup = *setup;
    folder->made = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_mutex_init(&folder->lock);
    if (setup->batch) {
        const OcpShard *shard = &setup->options->shard;
        g_autofree char *name =
            shard->count > 0 ? g_strdup_printf("%u-of-%u", shard->number, shard->count)
                             : NULL;
        if (!sum_options(setup, report, &folder->options) ||
            !ocp_state_open(setup->options->output, name, report, &folder->state))
            return false;
    }
    *ret = g_steal_pointer(&folder);
    return true;
}

void
ocp_folder_free(OcpFolder *folder)
{
    if (folder == NULL)
        return;
    ocp_state_close(folder->state);
    g_hash_table_unref(folder->made);
    g_mutex_clear(&folder->lock);
    g_free(folder);
}

OcpStateInput
ocp_folder_input(const OcpFolder *folder, const OcpPlanItem *item, GBytes *bytes,
                 gint64 modified)
{
    OcpStateInput input = {
        .name = item->name, .modified = modified, .options = folder->options};
    gsize size;
    const void *data = g_bytes_get_data(bytes, &size);
    if (folder->state != NULL)
        input.digest = ocp_digest_of(data, size);
    return input;
}

static char *
path_of(const OcpFolder *folder, const char *name)
{
    return g_build_filename(folder->setup.options->output, name, NULL);
}

/* Opens a regular file that is there. -1: there is none, or it is of another kind; then
 * writing says what is wrong with it. */
static int
open_regular(const char *path, struct stat *status)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0)
        return -1;
    if (fstat(file, status) == 0 && S_ISREG(status->st_mode))
        return file;
    (void)close(file);
    return -1;
}

static GBytes *
read_regular(const char *path)
{
    struct stat status;
    int file = open_regular(path, &status);
    if (file < 0)
        return NULL;
    (void)close(file);
    g_autoptr(OcpReport) ignored = ocp_report_new();
    OcpInput input;
    return ocp_input_read(path, G_MAXSIZE / 4, ignored, &input) ? input.bytes : NULL;
}

static bool
holds(const OcpFolder *folder, const OcpStateOutput *output)
{
    g_autofree char *path = path_of(folder, output->name);
    g_autoptr(GBytes) bytes = read_regular(path);
    if (bytes == NULL)
        return false;
    gsize size;
    const void *data = g_bytes_get_data(bytes, &size);
    OcpDigest digest = ocp_digest_of(data, size);
    return memcmp(&digest, &output->digest, sizeof digest) == 0;
}

bool
ocp_folder_is_current(const OcpFolder *folder, const OcpStateInput *input,
                      char **ret_path)
{
    if (folder->state == NULL || folder->setup.options->force)
        return false;
    g_autoptr(GPtrArray) outputs = ocp_state_outputs(folder->state, input);
    for (guint i = 0; outputs != NULL && i < outputs->len; i++)
        if (!holds(folder, outputs->pdata[i]))
            return false;
    if (outputs == NULL)
        return false;
    guint each = folder->setup.options->companion ? 2 : 1;
    const OcpStateOutput *first = outputs->pdata[0];
    *ret_path = outputs->len == each ? path_of(folder, first->name) : NULL;
    return true;
}

/* ---- putting --------------------------------------------------------------- */

/* One file to be put in its place. */
typedef struct {
    char *name;
    char *path;
    const void *data;
    gsize size;
    OcpDigest digest;
    bool there; /* and is what it is to be */
} File;

static void
clear_file(File *file)
{
    g_free(file->name);
    g_free(file->path);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(File, clear_file)

static bool
fail_file(const File *file, const char *code, const char *text, const char *hint,
          OcpReport *report)
{
    OcpDiagnostic *error = ocp_report_add(report, OCP_ERROR, code, "%s", text);
    error->file = g_strdup(file->path);
    error->hint = g_strdup(hint);
    return false;
}

/* Whether what is there may be replaced: it is ours, or a part of what is to be there,
 * as a crash of the machine leaves it. */
static bool
may_replace(const OcpFolder *folder, const File *file, GBytes *there)
{
    gsize size;
    const void *data = g_bytes_get_data(there, &size);
    if (folder->setup.options->force ||
        (size < file->size && (size == 0 || memcmp(data, file->data, size) == 0)))
        return true;
    OcpDigest digest = ocp_digest_of(data, size);
    return ocp_state_made(folder->state, file->name, &digest);
}

/* Looks at what is in the place of an output; sets there. */
static bool
check_place(const OcpFolder *folder, const OcpStateInput *input, File *file,
            OcpReport *report)
{
    if (!ocp_plan_owns(folder->setup.plan, file->name, input->name))
        return fail_file(file, "usage.same-output",
                         "another input, or the report, has that name", NULL, report);
    struct stat status;
    int descriptor = folder->state != NULL ? open_regular(file->path, &status) : -1;
    if (descriptor < 0)
        return true;
    (void)close(descriptor);
    if (ocp_file_set_has(folder->setup.set, ocp_file_id(&status)))
        return fail_file(file, "io.over-input",
                         "would be written over an input of this run, or another "
                         "output",
                         NULL, report);
    g_autoptr(GBytes) there = read_regular(file->path);
    if (there == NULL)
        return true;
    gsize size;
    const void *data = g_bytes_get_data(there, &size);
    file->there =
        size == file->size && (size == 0 || memcmp(data, file->data, size) == 0);
    return file->there || may_replace(folder, file, there) ||
           fail_file(file, "io.exists",
                     "is there already, and was not written by this command or was "
                     "changed since",
                     "--force replaces it", report);
}

static bool
make_folder(OcpFolder *folder, const File *file, OcpReport *report)
{
    g_autofree char *path = g_path_get_dirname(file->path);
    g_mutex_lock(&folder->lock);
    bool made = g_hash_table_contains(folder->made, path) ||
                g_mkdir_with_parents(path, 0777) == 0;
    int error = errno;
    if (made)
        g_hash_table_add(folder->made, g_strdup(path));
    g_mutex_unlock(&folder->lock);
    if (made)
        return true;
    OcpDiagnostic *fault = ocp_report_add(
        report, OCP_ERROR, "io.write", "cannot make the folder: %s", g_strerror(error));
    fault->file = g_steal_pointer(&path);
    return false;
}

static bool
write_file(const OcpFolder *folder, const File *file, OcpReport *report)
{
    if (file->there)
        return true;
    /* A batch is synced as a whole: see ocp_folder_sync(). A run that was killed may
     * have left a temporary file; the one that makes this output again takes it away.
     */
    g_autofree char *hash =
        g_compute_checksum_for_string(G_CHECKSUM_SHA256, file->name, -1);
    g_autofree char *temporary = g_strdup_printf(".ocp-convert-%.16s.tmp", hash);
    OcpOutputOptions options = {.never = folder->setup.set,
                                .unsynced = folder->state != NULL,
                                .temporary = temporary,
                                .signals = folder->setup.signals};
    OcpFileId id;
    if (!ocp_output_write(file->path, file->data, file->size, &options, report, &id))
        return false;
    ocp_file_set_add(folder->setup.set, id);
    return true;
}

static void
fill(const OcpFolder *folder, File *file, char *name, GBytes *bytes)
{
    file->name = name;
    file->path = path_of(folder, name);
    file->data = g_bytes_get_data(bytes, &file->size);
    if (folder->state != NULL)
        file->digest = ocp_digest_of(file->data, file->size);
}

static bool
record(const OcpFolder *folder, const OcpStateInput *input, guint part, guint parts,
       const File *file, const File *companion, OcpReport *report)
{
    if (folder->state == NULL)
        return true;
    OcpStateOutput output = {file->name, file->digest};
    OcpStateOutput beside = {companion->name, companion->digest};
    return ocp_state_record(folder->state, input, part, parts, &output,
                            companion->name != NULL ? &beside : NULL, report);
}

bool
ocp_folder_put(OcpFolder *folder, const OcpStateInput *input, guint number, guint parts,
               GBytes *text, GBytes *model, OcpReport *report, char **ret_path)
{
    const OcpOptions *options = folder->setup.options;
    g_auto(File) file = {0};
    g_auto(File) companion = {0};
    fill(folder, &file, ocp_name_output(input->name, number, options->convert.syntax),
         text);
    if (model != NULL)
        fill(folder, &companion, ocp_name_companion(file.name), model);
    if (!check_place(folder, input, &file, report) ||
        (model != NULL && !check_place(folder, input, &companion, report)))
        return false;
    if (!options->dry_run) {
        if (!make_folder(folder, &file, report) ||
            !record(folder, input, MAX(number, 1), parts, &file, &companion, report) ||
            (model != NULL && !write_file(folder, &companion, report)) ||
            !write_file(folder, &file, report))
            return false;
    }
    *ret_path = g_steal_pointer(&file.path);
    return true;
}

void
ocp_folder_sync(const OcpFolder *folder)
{
    int file =
        folder->state == NULL || g_hash_table_size(folder->made) == 0
            ? -1
            : open(folder->setup.options->output, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return;
    (void)syncfs(file);
    (void)close(file);
}
