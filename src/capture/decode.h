/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>
#include <stdbool.h>

/*
 * The ways in which logs wrap text, undone one layer at a time, and the way back: from
 * a byte of the result to the bytes it came from, found again by decoding, so that no
 * map is kept.
 */
typedef enum {
    OCP_DECODE_STRING, /* backslash escapes, as JSON, C, Go and Python write them */
    OCP_DECODE_HEX,    /* \xHH alone, as nginx writes it */
    OCP_DECODE_OCTAL,  /* #012 between JSON tokens, as rsyslog writes line breaks */
    OCP_DECODE_BASE64,
    OCP_DECODE_GZIP,   /* base64 of gzip */
    OCP_DECODE_NUMBERS /* 123, 34, … */
} OcpDecoding;

/* Appends the decoded text, at most most bytes of it. False: it is none of this kind,
 * or too long. */
bool ocp_decode(OcpDecoding decoding, const char *text, gsize length, gsize most,
                GString *out);

/* Where in text the byte at offset of the decoded text came from; 0 for the encodings
 * whose bytes do not stand for themselves. */
gsize ocp_decode_place(OcpDecoding decoding, const char *text, gsize length,
                       gsize offset);

/* A short name for the chain of wrappers. Static. */
const char *ocp_decoding_name(OcpDecoding decoding);

/* True for a character of base64, padding not included. */
bool ocp_is_base64(char byte);
