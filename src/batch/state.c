/* SPDX-License-Identifier: Apache-2.0 */
#include "batch/state.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "batch/state_line.h"
#include "text/canonical.h"

/* All outputs that were announced for an input, as long as it and the options stayed
 * the same: what came later begins anew. */
typedef struct {
    OcpDigest digest;
    gint64 modified;
    OcpDigest options;
    guint parts;
    GPtrArray *outputs; /* OcpStateLine of the parts so far; borrowed from lines */
} Known;

struct OcpState {
    char *folder;        /* OUT/.ocp-convert */
    char *path;          /* of the file that is appended to */
    GMutex lock;         /* of what follows */
    int file;            /* -1 until something is recorded */
    GPtrArray *lines;    /* OcpStateLine, all that were read */
    GHashTable *inputs;  /* name -> Known */
    GHashTable *outputs; /* name -> GArray of OcpDigest */
};

OcpDigest
ocp_digest_of(const void *data, gsize size)
{
    OcpDigest digest;
    ocp_sha256_bytes(data, size, digest.bytes);
    return digest;
}

static bool
same(const OcpDigest *a, const OcpDigest *b)
{
    return memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

/* ---- what is known --------------------------------------------------------- */

static void
free_known(gpointer pointer)
{
    Known *known = pointer;
    g_ptr_array_unref(known->outputs);
    g_free(known);
}

static bool
is_of(const Known *known, const OcpStateInput *input)
{
    return same(&known->digest, &input->digest) && known->modified == input->modified &&
           same(&known->options, &input->options);
}

static void
learn_input(OcpState *state, OcpStateLine *line)
{
    Known *known = g_hash_table_lookup(state->inputs, line->input.name);
    if (known == NULL || !is_of(known, &line->input) || known->parts != line->parts) {
        known = g_new0(Known, 1);
        known->digest = line->input.digest;
        known->modified = line->input.modified;
        known->options = line->input.options;
        known->parts = line->parts;
        known->outputs = g_ptr_array_new();
        g_hash_table_replace(state->inputs, (gpointer)line->input.name, known);
    }
    /* Parts are announced in order; where one is missing it has to be made anyway. */
    if (line->part <= known->outputs->len)
        known->outputs->pdata[line->part - 1] = line;
    else if (line->part == known->outputs->len + 1)
        g_ptr_array_add(known->outputs, line);
}

static void
learn_output(OcpState *state, const OcpStateOutput *output)
{
    GArray *digests = g_hash_table_lookup(state->outputs, output->name);
    if (digests == NULL) {
        digests = g_array_new(FALSE, FALSE, sizeof(OcpDigest));
        g_hash_table_insert(state->outputs, (gpointer)output->name, digests);
    }
    g_array_append_val(digests, output->digest);
}

static void
read_lines(OcpState *state, const char *text, gsize size)
{
    for (gsize at = 0; at < size;) {
        const char *end = memchr(text + at, '\n', size - at);
        if (end == NULL)
            return;
        gsize length = (gsize)(end - text) - at;
        OcpStateLine *line = ocp_state_line_read(text + at, length);
        if (line != NULL) {
            g_ptr_array_add(state->lines, line);
            learn_input(state, line);
            learn_output(state, &line->output);
            if (line->companion.name != NULL)
                learn_output(state, &line->companion);
        }
        at += length + 1;
    }
}

static bool
read_file(OcpState *state, const char *name, OcpReport *report)
{
    g_autofree char *path = g_build_filename(state->folder, name, NULL);
    g_autofree char *text = NULL;
    gsize size;
    g_autoptr(GError) error = NULL;
    /* Another shard may be appending; what it has not ended is left out. */
    if (!g_file_get_contents(path, &text, &size, &error)) {
        OcpDiagnostic *fault =
            ocp_report_add(report, OCP_ERROR, "io.read", "%s", error->message);
        fault->file = g_strdup(path);
        return false;
    }
    read_lines(state, text, size);
    return true;
}

static gint
compare_names(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The own file last: what it says of an input is newer than what others may. */
static bool
read_files(OcpState *state, OcpReport *report)
{
    g_autoptr(GDir) handle = g_dir_open(state->folder, 0, NULL);
    if (handle == NULL)
        return true;
    g_autofree char *own = g_path_get_basename(state->path);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    bool has_own = false;
    for (const char *name; (name = g_dir_read_name(handle)) != NULL;) {
        if (strcmp(name, own) == 0)
            has_own = true;
        else if (g_str_has_prefix(name, "state"))
            g_ptr_array_add(names, g_strdup(name));
    }
    g_ptr_array_sort(names, compare_names);
    if (has_own)
        g_ptr_array_add(names, g_steal_pointer(&own));
    for (guint i = 0; i < names->len; i++)
        if (!read_file(state, names->pdata[i], report))
            return false;
    return true;
}

bool
ocp_state_open(const char *folder, const char *shard, OcpReport *report, OcpState **ret)
{
    g_autoptr(OcpState) state = g_new0(OcpState, 1);
    g_autofree char *name =
        shard == NULL ? g_strdup("state") : g_strconcat("state-", shard, NULL);
    state->folder = g_build_filename(folder, OCP_STATE_FOLDER, NULL);
    state->path = g_build_filename(state->folder, name, NULL);
    state->file = -1;
    g_mutex_init(&state->lock);
    state->lines = g_ptr_array_new_with_free_func(ocp_state_line_free);
    state->inputs = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, free_known);
    state->outputs = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
                                           (GDestroyNotify)g_array_unref);
    if (!read_files(state, report))
        return false;
    *ret = g_steal_pointer(&state);
    return true;
}

void
ocp_state_close(OcpState *state)
{
    if (state == NULL)
        return;
    if (state->file >= 0)
        (void)close(state->file);
    g_hash_table_unref(state->outputs);
    g_hash_table_unref(state->inputs);
    g_ptr_array_unref(state->lines);
    g_mutex_clear(&state->lock);
    g_free(state->path);
    g_free(state->folder);
    g_free(state);
}

GPtrArray *
ocp_state_outputs(const OcpState *state, const OcpStateInput *input)
{
    const Known *known = g_hash_table_lookup(state->inputs, input->name);
    if (known == NULL || !is_of(known, input) || known->outputs->len < known->parts)
        return NULL;
    GPtrArray *outputs = g_ptr_array_new();
    for (guint i = 0; i < known->parts; i++) {
        OcpStateLine *line = known->outputs->pdata[i];
        g_ptr_array_add(outputs, &line->output);
        if (line->companion.name != NULL)
            g_ptr_array_add(outputs, &line->companion);
    }
    return outputs;
}

bool
ocp_state_made(const OcpState *state, const char *name, const OcpDigest *digest)
{
    const GArray *digests = g_hash_table_lookup(state->outputs, name);
    for (guint i = 0; digests != NULL && i < digests->len; i++)
        if (same(&g_array_index(digests, OcpDigest, i), digest))
            return true;
    return false;
}

/* ---- appending ------------------------------------------------------------- */

static bool
fail_write(const OcpState *state, OcpReport *report)
{
    OcpDiagnostic *error = ocp_report_add(report, OCP_ERROR, "io.write",
                                          "cannot write: %s", g_strerror(errno));
    error->file = g_strdup(state->path);
    return false;
}

/* A line that a crash or a full disk cut is ended, so that the next begins anew. */
static bool
end_cut_line(int file)
{
    struct stat status;
    char last = '\n';
    if (fstat(file, &status) != 0)
        return false;
    if (status.st_size > 0 && pread(file, &last, 1, status.st_size - 1) != 1)
        return false;
    return last == '\n' || write(file, "\n", 1) == 1;
}

static bool
open_file(OcpState *state)
{
    if (state->file >= 0)
        return true;
    if (g_mkdir_with_parents(state->folder, 0777) != 0)
        return false;
    int file =
        open(state->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file < 0)
        return false;
    if (!end_cut_line(file)) {
        int error = errno;
        (void)close(file);
        errno = error;
        return false;
    }
    state->file = file;
    return true;
}

/* One call a line, so that lines of processes that share the file do not mix. */
static bool
append(OcpState *state, const GString *line)
{
    gssize done = write(state->file, line->str, line->len);
    if (done == (gssize)line->len)
        return true;
    if (done >= 0) {
        (void)end_cut_line(state->file);
        errno = ENOSPC;
    }
    return false;
}

/* What is the last word on a part already need not be said again. */
static bool
is_announced(const OcpState *state, const OcpStateLine *line)
{
    const Known *known = g_hash_table_lookup(state->inputs, line->input.name);
    if (known == NULL || !is_of(known, &line->input) || known->parts != line->parts ||
        known->outputs->len < line->part)
        return false;
    const OcpStateLine *last = known->outputs->pdata[line->part - 1];
    return g_strcmp0(last->output.name, line->output.name) == 0 &&
           same(&last->output.digest, &line->output.digest) &&
           g_strcmp0(last->companion.name, line->companion.name) == 0 &&
           same(&last->companion.digest, &line->companion.digest);
}

bool
ocp_state_record(OcpState *state, const OcpStateInput *input, guint part, guint parts,
                 const OcpStateOutput *output, const OcpStateOutput *companion,
                 OcpReport *report)
{
    OcpStateLine line = {
        .input = *input, .part = part, .parts = parts, .output = *output};
    if (companion != NULL)
        line.companion = *companion;
    if (is_announced(state, &line))
        return true;
    g_autoptr(GString) text = g_string_sized_new(512);
    ocp_state_line_append(&line, text);
    g_mutex_lock(&state->lock);
    bool done = open_file(state) && append(state, text);
    if (!done)
        fail_write(state, report);
    g_mutex_unlock(&state->lock);
    return done;
}
