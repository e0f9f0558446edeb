/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Digests: their algorithm (W17), their length (I17), and the parent's (I20).
 */
#include <string.h>

#include "model/check.h"

/* The hash names of the IANA Named Information registry, with their hexadecimal digits.
 */
typedef struct {
    const char *name;
    guint digits;
} Algorithm;

static const Algorithm algorithms[] = {
    {"sha-256", 64},     {"sha-256-128", 32}, {"sha-256-120", 30},  {"sha-256-96", 24},
    {"sha-256-64", 16},  {"sha-256-32", 8},   {"sha-384", 96},      {"sha-512", 128},
    {"sha3-224", 56},    {"sha3-256", 64},    {"sha3-384", 96},     {"sha3-512", 128},
    {"blake2s-256", 64}, {"blake2b-256", 64}, {"blake2b-512", 128}, {"k12-256", 64},
    {"k12-512", 128},
};

static const Algorithm *
find_algorithm(const OcpNode *name)
{
    for (gsize i = 0; i < G_N_ELEMENTS(algorithms); i++)
        if (ocp_text_is(name, algorithms[i].name))
            return &algorithms[i];
    return NULL;
}

static void
check_digest(const OcpNode *digest, GString *pointer, gpointer data)
{
    OcpRuleCheck *check = data;
    const OcpNode *name = ocp_member(digest, "algorithm");
    const OcpNode *value = ocp_member(digest, "value");
    if (!ocp_is(name, OCP_STRING))
        return;
    const Algorithm *algorithm = find_algorithm(name);
    if (algorithm == NULL) {
        g_autofree char *at = ocp_rule_below(pointer, "algorithm");
        g_autofree char *quoted = ocp_rule_quote(name);
        ocp_rule_detail(
            ocp_rule_fault(check, "OC-W17", name, at,
                           "%s is no hash name of the IANA registry", quoted),
            "a name of the IANA Named Information registry, such as sha-256", name,
            "consumers cannot verify a digest whose algorithm they do not know");
        return;
    }
    if (!ocp_is(value, OCP_STRING))
        return;
    gsize length;
    ocp_text(value, check->arena, &length);
    if (length == algorithm->digits)
        return;
    g_autofree char *at = ocp_rule_below(pointer, "value");
    g_autofree char *expected =
        g_strdup_printf("%u hexadecimal digits", algorithm->digits);
    ocp_rule_detail(ocp_rule_fault(check, "OC-I17", value, at,
                                   "a %s digest has %u hexadecimal digits; found "
                                   "%" G_GSIZE_FORMAT,
                                   algorithm->name, algorithm->digits, length),
                    expected, value, NULL);
}

void
ocp_rule_digests(OcpRuleCheck *check)
{
    ocp_model_walk(check->root, "parent/digest", check_digest, check);
    ocp_model_walk(check->root, "resources/*/digest", check_digest, check);
}

/* ---- I20 ------------------------------------------------------------------- */

/* The digest of bytes by a named algorithm, in as many digits as it has; NULL if the
 * algorithm is not at hand. Free with g_free(). */
static char *
digest_of(const Algorithm *algorithm, const void *bytes, gsize length)
{
    GChecksumType type = G_CHECKSUM_SHA256;
    if (strcmp(algorithm->name, "sha-384") == 0)
        type = G_CHECKSUM_SHA384;
    else if (strcmp(algorithm->name, "sha-512") == 0)
        type = G_CHECKSUM_SHA512;
    else if (!g_str_has_prefix(algorithm->name, "sha-256"))
        return NULL;
    char *digest = g_compute_checksum_for_data(type, bytes, length);
    if (strlen(digest) > algorithm->digits)
        digest[algorithm->digits] = '\0';
    return digest;
}

bool
ocp_model_check_parent(const OcpDocument *document, const OcpNode *root,
                       const void *parent_bytes, gsize parent_length, OcpReport *report)
{
    const OcpNode *digest = ocp_member(ocp_member(ocp_deref(root), "parent"), "digest");
    const OcpNode *name = ocp_member(digest, "algorithm");
    const OcpNode *value = ocp_member(digest, "value");
    if (!ocp_is(name, OCP_STRING) || !ocp_is(value, OCP_STRING))
        return true;
    const Algorithm *algorithm = find_algorithm(name);
    g_autofree char *actual =
        algorithm != NULL ? digest_of(algorithm, parent_bytes, parent_length) : NULL;
    if (actual == NULL) {
        g_autofree char *quoted = ocp_rule_quote(name);
        OcpDiagnostic *note = ocp_report_add(
            report, OCP_NOTE, "OC-I20",
            "the parent's digest was not checked: %s is not available", quoted);
        note->pointer = g_strdup("/parent/digest/algorithm");
        ocp_diagnostic_locate(note, document, name->place);
        return true;
    }
    if (ocp_text_is(value, actual))
        return true;
    OcpDiagnostic *fault = ocp_report_add(report, OCP_ERROR, "OC-I20",
                                          "the parent file does not have this digest");
    fault->pointer = g_strdup("/parent/digest/value");
    ocp_diagnostic_locate(fault, document, value->place);
    ocp_rule_detail(fault, actual, value,
                    "the parent was changed after this checkpoint was made, or this is "
                    "another file");
    return false;
}
