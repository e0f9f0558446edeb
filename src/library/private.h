/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "convert/convert.h"
#include "library/ocp.h"

/*
 * What the files of the library share. The public names begin with a verb
 * (ocp_convert_document), those of the layers with their module (ocp_document_ref): so
 * one archive holds both.
 */
struct OcpConverter {
    OcpContext *context;
    OcpLimits limits;
    GMutex lock;        /* of the list */
    gint frozen;        /* atomic */
    GPtrArray *infos;   /* OcpDialectInfo; NULL until listed */
    GPtrArray *entries; /* OcpDialectEntry, over infos */
};

struct OcpConversion {
    OcpOutcome *outcome;
};

/* Lists the dialects once; what is found is shared. */
bool ocp_converter_settle(OcpConverter *converter, OcpReport *report);

/* The report a caller gave, or a new one in *own for a caller who wants none. */
static inline OcpReport *
ocp_hear(OcpReport *report, OcpReport **own)
{
    if (report != NULL)
        return report;
    *own = ocp_report_new();
    return *own;
}
