/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

/*
 * Memory that is given out in one direction and taken back whole.
 *
 * A document and everything made for it live in one arena. What an arena gave
 * stays where it is until the arena is freed, so pointers into it are stable.
 * An arena belongs to one thread at a time.
 */
typedef struct OcpArena OcpArena;

/* Returns an empty arena; free with ocp_arena_free(). Never fails. */
OcpArena *ocp_arena_new(void);

/* Frees the arena and all it gave. NULL is allowed. */
void ocp_arena_free(OcpArena *arena);

/* Returns size bytes, aligned for any type, not cleared. Borrowed from the arena. */
void *ocp_arena_take(OcpArena *arena, gsize size);

/* Returns a copy of length bytes of text with a NUL behind it. Borrowed. */
char *ocp_arena_copy(OcpArena *arena, const char *text, gsize length);

#define ocp_arena_new_of(arena, type) ((type *)ocp_arena_take((arena), sizeof(type)))

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpArena, ocp_arena_free)
