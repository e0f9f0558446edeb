/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>
#include <stdbool.h>

/*
 * Patterns for paths, byte by byte, whatever the locale: "?" one byte, "*" any number,
 * "[a-z]" and "[!a-z]" one of a set, none of them a "/"; "**" any number of any bytes;
 * "\" takes the meaning of the next. A pattern without "/" is for the last part of a
 * path; one with "/" is for the whole of it.
 */

/* Time: the length of the pattern times that of the path, whatever they are. */
bool ocp_glob_matches(const char *pattern, const char *path);
