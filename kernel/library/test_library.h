/* test_library.h - models for tests of the library */
#ifndef TN_TEST_LIBRARY_H
#define TN_TEST_LIBRARY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <tenon/tenon.h>

#include <cmocka.h>

#define SLIDER_CRANK TENON_SOURCE_DIR "/configs/benchmarks/slider_crank.toml"

/* A mass on a spring along x, pulled by a force that grows with time. */
#define OSCILLATOR                                                                                         \
    "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 2\nposition = [1.1, 0, 0]\n"                  \
    "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\nstiffness = 50\n" \
    "damping = 0.1\nreference_length = 1\n"                                                                \
    "[[element]]\nname = 'hand'\ntype = 'force'\nmarkers = 'mass'\nvalue = ['time', 0, 0]\n"               \
    "[[sensor]]\nname = 'x'\nexpression = 'DX(mass)'\n"                                                    \
    "[[sensor]]\nname = 'pull'\nelement = 'spring'\noutput = 'force'\n"

#define RK_OF_FIXED_STEP "[solver]\ntype = 'rk'\nstep = 1e-2\nend_time = 0.5\n"

/* The options of all tests: plugins of the build, and what else is given. */
static inline tenon_options tn_test_options(void)
{
    static const char *const plugins[] = {TENON_PLUGINS};
    return (tenon_options){.size = sizeof(tenon_options), .plugin_paths = plugins, .plugin_path_count = 1};
}

static inline tenon_model *tn_test_open_text(const char *text)
{
    const tenon_options options = tn_test_options();
    tenon_model *model = NULL;
    const tenon_status status = tenon_open_text(text, "model.toml", NULL, &options, &model);
    if (status != TENON_OK) fail_msg("%s", tenon_reason(model));
    return model;
}

static inline tenon_model *tn_test_open_file(const char *path, const char *override)
{
    tenon_options options = tn_test_options();
    tenon_model *model = NULL;
    options.overrides = &override;
    options.override_count = override != NULL;
    const tenon_status status = tenon_open_file(path, &options, &model);
    if (status != TENON_OK) fail_msg("%s", tenon_reason(model));
    return model;
}

static inline void tn_test_good(tenon_model *model, tenon_status status)
{
    if (status != TENON_OK) fail_msg("status %d: %s", (int)status, tenon_reason(model));
}

/* A refusal whose reason holds these words. */
static inline void tn_test_refused(tenon_model *model, tenon_status status, const char *words)
{
    assert_int_equal(status, TENON_REFUSED);
    if (!strstr(tenon_reason(model), words)) fail_msg("%s", tenon_reason(model));
}

#endif
