/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>
#include <stdbool.h>

/*
 * Dividing work among processes that do not talk: what a piece is called decides whose
 * it is, so each has its pieces whatever else there is.
 */
typedef struct {
    guint number; /* 1 to count */
    guint count;  /* 0: not divided */
} OcpShard;

/* Reads "I/N", 1 <= I <= N. */
bool ocp_shard_read(const char *text, OcpShard *ret);

/* A piece by its name: the path below the folder. */
bool ocp_shard_has(const OcpShard *shard, const char *name);

/* A piece by its place: the number of a line. */
bool ocp_shard_has_number(const OcpShard *shard, guint64 number);
