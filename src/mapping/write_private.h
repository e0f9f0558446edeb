/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mapping/hide.h"
#include "mapping/write.h"

/*
 * What the two halves of writing share: write.c makes the document, write_back.c finds
 * what it does not say. Private to them.
 */

/* One writing, from the model to the finished document. */
typedef struct {
    const OcpWriteRequest *request;
    OcpReport *report;
    OcpCarry carry;
    OcpDraft *draft;          /* W(o) */
    OcpDocument *made;        /* the draft's */
    GHashTable *came_from;    /* element of the merged tree -> element of the draft */
    const OcpNode *tree;      /* the merged document */
    bool verbatim;            /* nothing was edited: what lies in the open place stays */
    GHashTable *sensitive;    /* nodes of the model that do not travel */
    GHashTable *unedited;     /* nodes of the model that the engine made */
    GHashTable *lost;         /* node of the model's carry -> reason */
    OcpPlaces *places;        /* of the document read back */
    OcpDocument *document;
    OcpHidden *hidden;        /* of the document: what reading it will not see */
    OcpCore *core;            /* R(d) */
    GHashTable *rename;
    const OcpNode *omitted;   /* what stands for a sensitive value */
    const OcpNode *sites;     /* diff(R(d) -> o) */
    GHashTable *carried;      /* node of the model -> pointer; or what is lost */
} OcpWriting;

/* Reads the finished document back, R(d), and finds what it does not say of the model:
 * fills document, places, hidden, core, rename, sites and carried. Without a carry there
 * are no sites, and carried holds what the document alone does not give back. */
bool ocp_writing_make_sites(OcpWriting *writing);

/* Puts what was found into the document's open place, if that is needed. */
void ocp_writing_put_stash(OcpWriting *writing);
