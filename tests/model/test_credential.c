/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

#include <string.h>

#include "support.h"

/* None of these was ever a key; they are put together here so that no scanner of
 * repositories takes them for one. */
#define HEX16 "0123456789abcdef"
#define BODY36 "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"

static void
expect(bool expected, const char *const *texts, gsize count)
{
    for (gsize i = 0; i < count; i++) {
        bool found = ocp_model_is_credential(texts[i], strlen(texts[i]));
        CU_ASSERT_EQUAL(found, expected);
        if (found != expected)
            ocp_test_fail("%s is %sa credential", texts[i], expected ? "" : "not ");
    }
}

#define EXPECT(expected, texts) expect((expected), (texts), G_N_ELEMENTS(texts))

static void
authorization_headers_are_credentials(void)
{
    static const char *const texts[] = {
        "Bearer " HEX16,
        "bearer abc123def",
        "Bearer token-123",
        "Bearer abc.def.ghi",
        "Bearer AbCdEfGhIj",
        "Bearer 0123456789\n",
        "curl -H 'Authorization: Bearer " HEX16 "' https://example.org",
        "Authorization: Bearer abc12345",
        "Authorization:Bearer abc12345",
        "{\"auth\": \"Bearer abc12345\"}",
        "Basic dXNlcjpwYXNz",
        "basic dXNlcjpwYXNzd29yZA==",
        "Authorization: Basic YTpi",
    };
    EXPECT(true, texts);
}

static void
talk_of_authorization_is_not(void)
{
    static const char *const texts[] = {
        "Bearer",
        "Bearer ",
        "Bearer token",
        "Bearer tokens are checked by the gateway",
        "Bearer authentication",
        "use bearer authentication for version 2",
        "Bearer <token>",
        "Bearer ${TOKEN}",
        "Bearer $TOKEN",
        "Bearer [omitted]",
        "the bearer of this message",
        "scheme: Bearer OAuth",
        "forbearer 0123456789abcdef01",
        "Basic information",
        "Basic features of 2024",
        "Basic dXNlcg==",
    };
    EXPECT(false, texts);
}

static void
keys_are_known_by_their_prefix(void)
{
    static const char *const texts[] = {
        "ghp_" BODY36,
        "token=ghp_" BODY36,
        "gho_" BODY36,
        "ghu_" BODY36,
        "ghs_" BODY36,
        "ghr_" BODY36,
        "github_pat_11ABCDEFG0_" BODY36,
        "glpat-" HEX16 "-_xyz",
        "sk-" BODY36,
        "sk-proj-" BODY36,
        "sk-ant-api03-" BODY36 "-AA",
        "key: sk-" HEX16 "0123",
        "sk_"
        "live_" HEX16,
        "xox"
        "b-123456789012-abcdef",
        "xox"
        "p-123456789012-abcdef",
        "AKIA"
        "IOSFODNN7EXAMPLE",
        "id AKIA"
        "IOSFODNN7EXAMPLE, secret elsewhere",
        "AIza"
        "SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6",
        "ya29."
        "a0AfH6SMBx-" HEX16,
        "npm_" BODY36,
        "hf_" BODY36,
        "https://ghp_" BODY36 "@github.com/o/r",
    };
    EXPECT(true, texts);
}

static void
names_that_begin_alike_are_not(void)
{
    static const char *const texts[] = {
        "ghp_",
        "ghp_short",
        "github_pat_",
        "glpat-short",
        "sk-learn-tutorial-2024-part-1",
        "sk-550e8400-e29b-41d4-a716-446655440000",
        "task-" HEX16 "0123",
        "risk-0001",
        "disk-" HEX16 HEX16,
        "xoxb-team",
        "AKIA",
        "AKIAIOSFODNN7EXAMPL",
        "AKIAIOSFODNN7EXAMPLEXX",
        "AKIAiosfodnn7example",
        "AIzawa",
        "ya29.png",
        "npm_lifecycle_event",
        "hf_hub_download",
        "EXAMPLEAKIAIOSFODNN7EXAMPLE",
    };
    EXPECT(false, texts);
}

static void
web_tokens_and_private_keys_are_credentials(void)
{
    static const char *const texts[] = {
        "eyJ"
        "hbGciOiJIUzI1NiJ9.eyJ"
        "zdWIiOiIxIn0.c2ln",
        "jwt=eyJ"
        "hbGciOiJIUzI1NiJ9.eyJ"
        "zdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9",
        "eyJ"
        "hbGciOiJub25lIn0.eyJ"
        "zdWIiOiIxIn0.",
        "-----BEGIN "
        "PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n",
        "-----BEGIN RSA "
        "PRIVATE KEY-----",
        "-----BEGIN OPENSSH "
        "PRIVATE KEY-----",
        "-----BEGIN ENCRYPTED "
        "PRIVATE KEY-----",
        "-----BEGIN PGP "
        "PRIVATE KEY BLOCK-----",
        "see:\n\n  -----BEGIN EC "
        "PRIVATE KEY-----",
        "--------BEGIN EC "
        "PRIVATE KEY-----",
    };
    EXPECT(true, texts);
}

static void
public_keys_and_other_base64_are_not(void)
{
    static const char *const texts[] = {
        "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
        "-----BEGIN CERTIFICATE-----",
        "-----BEGIN PRIVATE KEY",
        "eyJhbGciOiJIUzI1NiJ9",
        "eyJhIjoxfQ.json",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIi",
        "file.eyJhbGciOiJIUzI1NiJ9.txt",
    };
    EXPECT(false, texts);
}

static void
urls_with_a_password_are_credentials(void)
{
    static const char *const texts[] = {
        "https://user:example-password@example.org/x",
        "postgres://app:p%40ss@db.example.org:5432/app",
        "git clone https://x-access-token:abc@example.org/o/r.git",
        "redis://:secret@localhost:6379/0",
        "see https://example.org and ftp://me:pass@host",
        "https://me:p@ss@example.org",
    };
    EXPECT(true, texts);
}

static void
urls_without_one_are_not(void)
{
    static const char *const texts[] = {
        "https://example.org:8443/a@b",
        "https://example.org/path?mail=a:b@c",
        "https://user@example.org/x",
        "https://user:@example.org/x",
        "https://user:***@example.org/x",
        "https://user:<password>@example.org/x",
        "https://${USER}:${PASS}@example.org/x",
        "ssh://git@example.org:22/o/r.git",
        "git@example.org:o/r.git",
        "git+ssh://git.example.org/fin.git",
        "mailto:jane@example.org",
        "mid:abc@example.org",
        "docker://alpine:3.18@sha256:" HEX16 HEX16 HEX16 HEX16,
        "urn:uuid:6f1f6c1e-2f5f-4a6e-9d3b-0d2f8a1c7b10",
        "http://[::1]:8080/",
        "://a:b@c",
        "std::map<a, b>@x",
    };
    EXPECT(false, texts);
}

static void
ids_hashes_and_prose_are_not(void)
{
    static const char *const texts[] = {
        "",
        "da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "sha256-n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=",
        "6f1f6c1e-2f5f-4a6e-9d3b-0d2f8a1c7b10",
        "toolu_01A09q90qw90lq917835lq9",
        "call_abc123def456ghi789jkl012",
        "chatcmpl-9abcDEF123ghiJKL456mno",
        "data:text/plain;base64,QUJDQUJDQUJDQUJDQUJDQUJD",
        "com.example.lab/session-checkpoint",
        "Read this checkpoint, refresh remote truth, and continue.",
        "The password is kept in the vault; ask the maintainer.",
        "gh pr merge 143 --squash",
    };
    EXPECT(false, texts);
}

static void
a_credential_behind_a_nul_is_found(void)
{
    static const char text[] = "\0 ghp_" BODY36;
    CU_ASSERT(ocp_model_is_credential(text, sizeof text - 1));
}

/* The worst texts known cost no more than plain ones, as the whole is one pass. */
static void
hostile_texts_take_linear_time(void)
{
    static const char *const pieces[] = {
        "xoxb-",       "sk-",       "eyJ-",        "eyJa.", "Bearer ", "://a:",
        "-----BEGIN ", "ghp_ghp_-", "basic AAAA ", "\"'",   " ",       "AKIA",
    };
    for (gsize i = 0; i < G_N_ELEMENTS(pieces); i++) {
        g_autoptr(GString) text = g_string_new(NULL);
        while (text->len < 4000000)
            g_string_append(text, pieces[i]);
        gint64 start = g_get_monotonic_time();
        ocp_model_is_credential(text->str, text->len);
        gint64 taken = g_get_monotonic_time() - start;
        CU_ASSERT(taken < 20 * G_USEC_PER_SEC);
        if (taken > 2 * G_USEC_PER_SEC)
            printf("  slow: %s: %" G_GINT64_FORMAT " us\n", pieces[i], taken);
    }
}

static void
member_names_tell_of_secrets(void)
{
    static const char *const secret[] = {
        "password",      "Password",
        "db_password",   "passwd",
        "api_key",       "apiKey",
        "X-Api-Key",     "access_token",
        "accessToken",   "refresh-token",
        "clientSecret",  "client_secret",
        "Authorization", "proxy-authorization",
        "private_key",   "token",
        "GITHUB_TOKEN",  "aws.secret.access.key",
        "secret",        "passphrase",
        "Set-Cookie",
    };
    static const char *const plain[] = {
        "",
        "max_tokens",
        "next_page_token",
        "tokens_used",
        "tokenizer",
        "author",
        "key",
        "keys",
        "idempotency_key",
        "path",
        "merge_authorization",
        "a_long_name_for_what_is_no_secret_at_all_and_never_was_one",
        "secretary",
        "pageToken",
        "é",
    };
    for (gsize i = 0; i < G_N_ELEMENTS(secret); i++) {
        bool found = ocp_model_is_credential_name(secret[i], strlen(secret[i]));
        CU_ASSERT(found);
        if (!found)
            ocp_test_fail("%s", secret[i]);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(plain); i++) {
        bool found = ocp_model_is_credential_name(plain[i], strlen(plain[i]));
        CU_ASSERT_FALSE(found);
        if (found)
            ocp_test_fail("%s", plain[i]);
    }
}

OCP_TEST_MAIN(
    "model-credential",
    {"authorization headers are credentials", authorization_headers_are_credentials},
    {"talk of authorization is not", talk_of_authorization_is_not},
    {"keys are known by their prefix", keys_are_known_by_their_prefix},
    {"names that begin alike are not", names_that_begin_alike_are_not},
    {"web tokens and private keys are credentials",
     web_tokens_and_private_keys_are_credentials},
    {"public keys and other base64 are not", public_keys_and_other_base64_are_not},
    {"urls with a password are credentials", urls_with_a_password_are_credentials},
    {"urls without one are not", urls_without_one_are_not},
    {"ids, hashes and prose are not", ids_hashes_and_prose_are_not},
    {"a credential behind a NUL is found", a_credential_behind_a_nul_is_found},
    {"hostile texts take linear time", hostile_texts_take_linear_time},
    {"member names tell of secrets", member_names_tell_of_secrets})
