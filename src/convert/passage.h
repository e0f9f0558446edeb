/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mapping/account.h"

/*
 * Where the leaves of a document get to on a way of several steps, as the accounts of the
 * steps say. A step without an account (NULL) leaves everything where it is.
 */

/* The steps there and back are: read, write, read, write. This one's next one undoes it. */
enum { OCP_PASSAGE_UNDONE = 1 };

/* Adds to named (set of pointers, freed by it) what cannot be where it was, and where it is
 * instead: leaves that some account says show in a model leaf that was omitted, or that
 * are only carried in the end; leaves that arrive at another pointer; and that pointer.
 * What no account tells of is not named, unless it stood in an element of an array of
 * which the rest is lost or in another element now. */
void ocp_passage_name(GHashTable *named, const OcpAccount *const *steps, gsize count);
