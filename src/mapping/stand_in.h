/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mapping/mapping.h"
#include "mapping/template.h"

/* Puts "[omitted]" where the target requires a text that no rule had a value for, because
 * the values are hidden: for a document of a dialect from a model with hidden values. */
void ocp_stand_in(OcpDocument *made, const OcpTemplate *template, OcpBuilder *build);
