/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "capture/record.h"
#include "capture/window.h"

/*
 * The way through one log: blocks are searched for names in one pass; where there is
 * one, its line becomes a record, with the lines before it that it continues and those
 * after it that continue it. All other lines are never looked at.
 *
 * What is kept of the log is a little of what was read last; work on lines before a
 * name is bounded by what was read.
 */

typedef struct {
    /* Takes what a record gave; it is cleared behind it. */
    void (*take)(OcpHunt *hunt);
    /* Takes what is said of a line that is no record. */
    void (*remark)(const OcpCaptureRemark *remark, gpointer data);
    gpointer data; /* of remark; in hunt->data for take */
} OcpScanSink;

/* Reads the log to its end. False: reading failed (errno). */
bool ocp_scan(const OcpCapture *capture, OcpLogReader *reader, const OcpScanSink *sink);
