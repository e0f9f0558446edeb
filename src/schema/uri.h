/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

/* URI references (RFC 3986), as far as schemas name each other by them. */

/* Resolves reference against base (section 5.2); base may be "". Free with g_free(). */
char *ocp_uri_resolve(const char *base, const char *reference);

/* Cuts the fragment off uri in place and returns it percent-decoded ("" if there is
 * none); free with g_free(). */
char *ocp_uri_split_fragment(char *uri);
