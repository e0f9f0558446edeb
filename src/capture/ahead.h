/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "capture/needles.h"
#include "capture/open.h"

/*
 * Reading a log in blocks, on threads of their own, ahead of whoever searches it. A
 * block is looked through for traces as soon as it is read, while the processor still
 * has it at hand. Whoever waits for a block reads one too.
 *
 * A file that can be read at any place is read by all threads at once; of what comes
 * through a pipe or is unpacked, one thread reads while others look through.
 */
typedef struct OcpAhead OcpAhead;

enum {
    OCP_BLOCK = 256 * 1024,
    OCP_BLOCKS_AHEAD = 8, /* blocks under way, at most */
    OCP_BLOCK_TRACES = 32
};

/* What is known of some bytes of a buffer. */
typedef struct {
    gsize from;
    gsize to;
    gsize lines; /* line feeds */
    /* The first trace of each line, from from on, if it is whole in here: */
    guint32 traces[OCP_BLOCK_TRACES];
    guint32 feeds[OCP_BLOCK_TRACES]; /* line feeds before each */
    guint trace_count;
    guint32 traced; /* how far they were looked for */
} OcpBlock;

/* Looks through from..to of bytes. */
OcpBlock ocp_block_of(const OcpNeedles *needles, const char *bytes, gsize from,
                      gsize to);

/* Until it is freed the reader is the threads'. NULL: there can be no more threads. */
OcpAhead *ocp_ahead_new(OcpLogReader *reader, const OcpNeedles *needles);

/* Waits until nothing is read any more. */
void ocp_ahead_free(OcpAhead *ahead);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpAhead, ocp_ahead_free)

/* What is read goes to bytes, from filled on, as long as there is room. Blocks under
 * way are by back bytes before the place they were read to. */
void ocp_ahead_offer(OcpAhead *ahead, char *bytes, gsize filled, gsize back,
                     gsize room);

/* Nothing is read until the next offer. Returns how much is filled. */
gsize ocp_ahead_hold(OcpAhead *ahead);

/* True if the next block is there or will come by itself. */
bool ocp_ahead_has_next(OcpAhead *ahead);

/* Waits for the next block; there is room for it. False: nothing more comes, since the
 * log has ended (errno is 0) or cannot be read. */
bool ocp_ahead_take(OcpAhead *ahead, OcpBlock *ret);
