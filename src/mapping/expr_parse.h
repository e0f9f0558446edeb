/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <string.h>

#include "mapping/expr_ast.h"

/*
 * What the files that compile an expression share: one parser over one text. Functions
 * return false or NULL once an error has been reported.
 */
typedef struct {
    const char *text; /* in the expression's arena */
    gsize length;
    gsize at;
    guint depth;
    const OcpExprScope *scope;
    OcpReport *report;
    OcpExpr *expr;
} OcpParser;

/* Reports an error at an offset of the text; always returns false. */
bool ocp_parse_fail(OcpParser *parser, gsize offset, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
/* The same, with a hint. */
bool ocp_parse_fail_hint(OcpParser *parser, gsize offset, const char *hint,
                         const char *format, ...) G_GNUC_PRINTF(4, 5);

/* The name nearest to a misspelt one, as a hint to free, or NULL. */
char *ocp_parse_suggest(const char *word, gsize length,
                        const char *(*nth)(guint n, gpointer data), gpointer data,
                        const char *format) G_GNUC_FORMAT(5);

/* ---- characters and literals (expr_lex.c) --------------------------------------- */

static inline char
ocp_parse_peek(const OcpParser *parser)
{
    return parser->at < parser->length ? parser->text[parser->at] : '\0';
}

static inline void
ocp_parse_blanks(OcpParser *parser)
{
    for (char letter; parser->at < parser->length; parser->at++) {
        letter = parser->text[parser->at];
        if (letter != ' ' && letter != '\n' && letter != '\t' && letter != '\r')
            break;
    }
}

/* Takes the token if it stands here. Inline: its length is known, and mostly its first
 * byte already says no. */
static inline bool
ocp_parse_take(OcpParser *parser, const char *token)
{
    gsize length = strlen(token);
    if (parser->length - parser->at < length || parser->text[parser->at] != *token ||
        memcmp(parser->text + parser->at, token, length) != 0)
        return false;
    parser->at += length;
    return true;
}

/* True if a name starts at offset; the length of the name that does, else 0. */
gsize ocp_parse_name_length(const OcpParser *parser, gsize offset);
/* A string in quotes of either kind; decoded into the arena. */
bool ocp_parse_string(OcpParser *parser, const char **ret_text, gsize *ret_length);
/* An integer as RFC 9535 has it in selectors: no leading zeros, I-JSON range. */
bool ocp_parse_integer(OcpParser *parser, gint64 *ret);
/* A literal: string, number, true, false, null. */
OcpAst *ocp_parse_literal(OcpParser *parser);
OcpAst *ocp_parse_node(OcpParser *parser, OcpAstKind kind, gsize offset);

/* ---- grammar (expr_parse.c) ------------------------------------------------------ */

OcpAst *ocp_parse_expr(OcpParser *parser);
/* Segments of a query, whatever its root (expr_segment.c). */
bool ocp_parse_segments(OcpParser *parser, OcpAst *query);

/* ---- well-typedness (expr_types.c) ----------------------------------------------- */

/* Can the expression be tested; can it be a value? Reports what it is instead. */
bool ocp_type_condition(OcpParser *parser, const OcpAst *ast);
bool ocp_type_value(OcpParser *parser, const OcpAst *ast);
/* Checks number and types of a call's arguments, compiles what is literal in them and
 * gives the call its type. */
bool ocp_type_call(OcpParser *parser, OcpAst *call);
/* Gives a query with its segments its type. */
bool ocp_type_query(OcpParser *parser, OcpAst *query);
/* What an index can answer in a filter. */
void ocp_type_filter(OcpParser *parser, OcpSelector *selector);
