/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Member names that usually hold a secret (rule W19).
 */
#include <string.h>

#include "model/model.h"

enum { LONGEST = 64 };

/* Names, lower case, without separators. */
static const char *const whole_names[] = {
    "accesskey", "apikey",     "authkey",   "cookie",   "credential", "credentials",
    "passcode",  "passphrase", "passwd",    "password", "privatekey", "pwd",
    "secret",    "secretkey",  "setcookie", "token",    "userpass",   "xapikey",
};

/* ... and what a longer name may end with. */
static const char *const tails[] = {
    "accesskey",    "apikey",      "clientsecret",  "passphrase",   "passwd",
    "password",     "privatekey",  "secret",        "secretkey",    "accesstoken",
    "apitoken",     "authtoken",   "bearertoken",   "idtoken",      "oauthtoken",
    "refreshtoken", "secrettoken", "securitytoken", "sessiontoken", "usertoken",
    "githubtoken",  "gitlabtoken", "slacktoken",    "bottoken",     "deploytoken",
};

/* The header, its proxy's too, in either spelling; "merge authorization" is another. */
static bool
is_http_header(const char *plain, gsize size)
{
    const gsize proxy = strlen("proxy");
    if (g_str_has_prefix(plain, "proxy")) {
        plain += proxy;
        size -= proxy;
    }
    return size == strlen("authoriz") + strlen("ation") &&
           g_str_has_prefix(plain, "authori") && g_str_has_suffix(plain, "ation");
}

bool
ocp_model_is_credential_name(const char *name, gsize length)
{
    char plain[LONGEST + 1];
    gsize size = 0;
    for (gsize i = 0; i < length; i++) {
        if (name[i] == '-' || name[i] == '_' || name[i] == '.' || name[i] == ' ')
            continue;
        if (!g_ascii_isalnum(name[i]) || size == LONGEST)
            return false;
        plain[size++] = g_ascii_tolower(name[i]);
    }
    plain[size] = '\0';
    if (is_http_header(plain, size))
        return true;
    for (gsize i = 0; i < G_N_ELEMENTS(whole_names); i++)
        if (strcmp(plain, whole_names[i]) == 0)
            return true;
    for (gsize i = 0; i < G_N_ELEMENTS(tails); i++)
        if (g_str_has_suffix(plain, tails[i]))
            return true;
    return false;
}
