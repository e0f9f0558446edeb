/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The laws of accounting, L1 to L8, over generated documents and the corpus.
 *
 * OCP_LAWS=N runs N documents a dialect and direction (the long run: 10000), OCP_SEED=S
 * starts there, OCP_DIALECT=LABEL is the only one. A failing document is shrunk and
 * printed, with its seed.
 */
#include <stdlib.h>
#include <string.h>

#include "generate.h"
#include "laws.h"
#include "support.h"

/* Sanitizers make it slow. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { CASES = 15 };
#else
enum { CASES = 100 };
#endif
enum {
    FAILURES = 3, /* shown, of a law and dialect */
    MANY = 50     /* cases: then so many are to be valid */
};

static guint
setting(const char *name, guint otherwise)
{
    const char *text = g_getenv(name);
    return text != NULL ? (guint)strtoul(text, NULL, 10) : otherwise;
}

static bool
is_wanted(const char *label)
{
    const char *only = g_getenv("OCP_DIALECT");
    return only == NULL || strcmp(only, label) == 0;
}

static Laws
laws_new(const char *label)
{
    Laws laws = {.context = ocp_context_new(), .label = label};
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(GPtrArray) dialects = NULL;
    CU_ASSERT_FATAL(ocp_context_list(laws.context, report, &dialects));
    for (guint i = 0; i < dialects->len; i++) {
        const OcpDialectInfo *info = dialects->pdata[i];
        gsize length = strlen(info->name);
        if (strncmp(label, info->name, length) == 0 &&
            (label[length] == '\0' || label[length] == '@'))
            laws.open = info->open_place;
    }
    return laws;
}

/* ---- one document ---------------------------------------------------------------- */

static bool
holds(Laws *laws, Law law, const Tree *document, const char *what)
{
    g_autofree char *broken = law(laws, document);
    if (broken == NULL)
        return true;
    g_autoptr(Tree) smaller = shrink(laws, law, document, broken);
    g_autofree char *again = law(laws, smaller);
    g_autofree char *json = tree_compact(smaller);
    ocp_test_fail("%s, %s, OCP_SEED=%" G_GUINT64_FORMAT ": %s\n  %.3000s", laws->label,
                  what, laws->seed, again != NULL ? again : broken, json);
    return false;
}

/* ---- generated ------------------------------------------------------------------- */

/* For whoever works on the generator. */
static void
say_invalid(Laws *laws, const Tree *document)
{
    g_autoptr(GBytes) text = tree_write(document, 0);
    g_autoptr(Turn) turn = laws_turn(laws, text, "opencheckpoint", STEP_READ, NULL);
    if (turn->outcome != NULL || turn->fault != NULL)
        printf("invalid: %.300s\n",
               turn->fault != NULL ? turn->fault : turn->outcome->from);
}

static void
run_generated(const char *label, const char *from, Law law)
{
    Laws laws = laws_new(label);
    g_autoptr(Generator) generator = generator_new(from);
    guint first = setting("OCP_SEED", 1), failures = 0;
    guint cases = setting("OCP_LAWS", g_getenv("OCP_SEED") != NULL ? 1 : CASES);
    guint tries = cases >= MANY ? 2 * cases : cases; /* not all that is made is valid */
    guint tried = 0;
    for (; tried < tries && laws.documents < cases && failures < FAILURES; tried++) {
        guint seed = first + tried;
        laws.seed = seed;
        guint before = laws.documents;
        g_autoptr(Tree) document = generator_make(generator, seed);
        failures += !holds(&laws, law, document, from);
        if (laws.documents == before && g_getenv("OCP_LAWS_SAY") != NULL)
            say_invalid(&laws, document);
    }
    printf("%s from %s: %u of %u documents, %u edits, %u failures\n", label, from,
           laws.documents, cases, laws.edits, failures);
    /* most of what is made must be valid, or little is shown */
    if (cases >= MANY && failures == 0)
        CU_ASSERT(laws.documents * 10 >= tried * 7);
    ocp_context_free(laws.context);
}

static void
documents_of_every_dialect(void)
{
    for (guint i = 1; generator_labels[i] != NULL; i++)
        if (is_wanted(generator_labels[i]))
            run_generated(generator_labels[i], generator_labels[i], law_of_document);
}

static void
models_through_every_dialect(void)
{
    for (guint i = 1; generator_labels[i] != NULL; i++)
        if (is_wanted(generator_labels[i]))
            run_generated(generator_labels[i], "opencheckpoint", law_of_model);
}

static void
without_a_carry(void)
{
    for (guint i = 1; generator_labels[i] != NULL; i++) {
        if (!is_wanted(generator_labels[i]))
            continue;
        run_generated(generator_labels[i], generator_labels[i], law_of_bare_document);
        run_generated(generator_labels[i], "opencheckpoint", law_of_bare_model);
    }
}

static void
models_to_themselves(void)
{
    if (is_wanted("opencheckpoint"))
        run_generated("opencheckpoint", "opencheckpoint", law_of_copy);
}

/* ---- the corpus ------------------------------------------------------------------ */

static const char *const folders[] = {"corpus/examples/caop-pulse/valid",
                                      "corpus/examples/caop-resume-brief/valid",
                                      "corpus/examples/specrail/valid",
                                      "corpus/specrail/v1",
                                      "corpus/specrail/v2",
                                      "corpus/specrail/v3",
                                      "corpus/specrail/v4",
                                      "corpus/specrail/milestone-cv1",
                                      "corpus/specrail/real",
                                      "corpus/examples/session-checkpoint-v1/valid",
                                      "corpus/session-checkpoint/v1",
                                      "corpus/examples/session-checkpoint-v2/valid",
                                      "corpus/session-checkpoint/v2",
                                      "corpus/examples/opencheckpoint/valid",
                                      "corpus/examples/opencheckpoint/integrity"};

static GPtrArray *
corpus(void)
{
    GPtrArray *trees = g_ptr_array_new_with_free_func((GDestroyNotify)tree_free);
    for (gsize i = 0; i < G_N_ELEMENTS(folders); i++) {
        g_autofree char *path = ocp_test_shared(folders[i]);
        if (path == NULL)
            return trees;
        g_autoptr(GPtrArray) files = ocp_test_list(path, ".json");
        for (guint n = 0; n < files->len; n++) {
            g_autoptr(GBytes) bytes = ocp_test_read(files->pdata[n]);
            Tree *tree = tree_read(bytes);
            if (tree != NULL)
                g_ptr_array_add(trees, tree);
        }
    }
    return trees;
}

static void
run_corpus(const char *label, Law law, const GPtrArray *trees)
{
    Laws laws = laws_new(label);
    guint failures = 0;
    for (guint i = 0; i < trees->len && failures < FAILURES; i++) {
        laws.seed = 1000 + i * 8; /* never loud */
        bool model = tree_get(trees->pdata[i], "opencheckpoint") != NULL &&
                     tree_is(tree_get(trees->pdata[i], "opencheckpoint"), OCP_STRING);
        if (model == (law != law_of_document && law != law_of_bare_document))
            failures += !holds(&laws, law, trees->pdata[i], "corpus");
    }
    printf("%s, corpus: %u documents, %u edits\n", label, laws.documents, laws.edits);
    ocp_context_free(laws.context);
}

static void
documents_of_the_corpus(void)
{
    g_autoptr(GPtrArray) trees = corpus();
    for (guint i = 1; generator_labels[i] != NULL; i++)
        if (is_wanted(generator_labels[i]))
            run_corpus(generator_labels[i], law_of_document, trees);
}

static void
models_of_the_corpus(void)
{
    g_autoptr(GPtrArray) trees = corpus();
    run_corpus("opencheckpoint", law_of_copy, trees);
    for (guint i = 1; generator_labels[i] != NULL; i++)
        if (is_wanted(generator_labels[i]))
            run_corpus(generator_labels[i], law_of_model, trees);
}

static void
the_corpus_without_a_carry(void)
{
    g_autoptr(GPtrArray) trees = corpus();
    for (guint i = 1; generator_labels[i] != NULL; i++) {
        if (!is_wanted(generator_labels[i]))
            continue;
        run_corpus(generator_labels[i], law_of_bare_document, trees);
        run_corpus(generator_labels[i], law_of_bare_model, trees);
    }
}

OCP_TEST_MAIN("laws", {"documents of every dialect", documents_of_every_dialect},
              {"models through every dialect", models_through_every_dialect},
              {"without a carry", without_a_carry},
              {"models to themselves", models_to_themselves},
              {"documents of the corpus", documents_of_the_corpus},
              {"models of the corpus", models_of_the_corpus},
              {"the corpus without a carry", the_corpus_without_a_carry})
