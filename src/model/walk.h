/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "value/node.h"

/*
 * Reaching the objects of a model by a fixed path: member names and "*" for each
 * element, with slashes between, such as "progress/focus". What is missing or of
 * another kind is passed over, so a model need not be valid.
 */

/* node: an object. pointer: its JSON pointer, to be put back as it was. */
typedef void (*OcpWalkVisit)(const OcpNode *node, GString *pointer, gpointer data);

/* Visits every object at path ("" for the root), in the order of the document. */
void ocp_model_walk(const OcpNode *root, const char *path, OcpWalkVisit visit,
                    gpointer data);

/* True if path is just these segments. */
bool ocp_model_path_is(const char *path, const char *const *segments, gsize depth);

/* Visits every object that has a local id, valid or not. */
void ocp_model_each_object(const OcpNode *root, OcpWalkVisit visit, gpointer data);

/* A hash table whose keys are string nodes, compared by their decoded text; borrows
 * keys and values. */
GHashTable *ocp_model_text_table(void);
