/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* The text of --help: fits a screen of 80 columns. Static. */
const char *ocp_help_text(void);
