/* test_models.h - all model files of configs/. A test that includes it defines _GNU_SOURCE. */
#ifndef TN_TEST_MODELS_H
#define TN_TEST_MODELS_H

#include "library/test_library.h"

#include <ftw.h>

enum { TN_TEST_MOST_MODELS = 200 };

static char *tn_test_model[TN_TEST_MOST_MODELS + 1];
static size_t tn_test_models;

static int tn_test_note_model(const char *path, const struct stat *status, int kind, struct FTW *at)
{
    (void)status, (void)at;
    const size_t length = strlen(path);
    if (kind != FTW_F || length < 5 || strcmp(path + length - 5, ".toml") != 0) return 0;
    assert_true(tn_test_models < TN_TEST_MOST_MODELS);
    tn_test_model[tn_test_models++] = strdup(path);
    return 0;
}

/* Their paths, behind which is NULL. */
static char **tn_test_find_models(void)
{
    assert_int_equal(nftw(TENON_SOURCE_DIR "/configs", tn_test_note_model, 8, FTW_PHYS), 0);
    return tn_test_model;
}

static void tn_test_free_models(char **model)
{
    for (size_t k = 0; model[k]; k++)
        free(model[k]);
}

#endif
