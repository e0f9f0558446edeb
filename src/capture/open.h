/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>
#include <stdbool.h>

/*
 * A log as a stream of UTF-8 bytes, whatever it is packed in: gzip with several
 * members, zstd frames, UTF-16. What it is shows in its first bytes, never in its name.
 * A packed log that is cut or damaged gives what came before.
 *
 * Never seeks or maps: standard input and pipes are as good as files. But who wants may
 * read the rest of a plain file by itself.
 */
typedef struct OcpLogReader OcpLogReader;

/* Reads from file, which stays open and belongs to the caller. */
OcpLogReader *ocp_log_reader_new(int file);
void ocp_log_reader_free(OcpLogReader *reader);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpLogReader, ocp_log_reader_free)

/* Puts at most room bytes (at least 16) into into. Returns how many; 0 at the end; -1
 * if reading failed (errno). */
gssize ocp_log_reader_read(OcpLogReader *reader, char *into, gsize room);

/* If what is left is the rest of a file as it is, and large: the file, and how far it
 * was read; else -1. */
int ocp_log_reader_file(const OcpLogReader *reader, guint64 *ret_place);

/* What is wrong with the packing, as a diagnosis: "truncated-gzip",
 * "unsupported-compression", …; NULL if nothing is. detail: a few words more. */
const char *ocp_log_reader_fault(const OcpLogReader *reader, const char **ret_detail);

/* "gzip", "zstd" or NULL: for the chain of wrappers. */
const char *ocp_log_reader_packing(const OcpLogReader *reader);

/* Bytes of the mark before the text, which are not handed out. */
guint ocp_log_reader_mark(const OcpLogReader *reader);

/* True if the text was UTF-16: each of its characters was two bytes, or four where
 * UTF-8 needs four. */
bool ocp_log_reader_utf16(const OcpLogReader *reader);
