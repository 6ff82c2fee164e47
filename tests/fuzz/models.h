/* models.h - spoilt model files for a target of whole ones. TENON_FUZZ_SECONDS says for how long; fuzz.sh searches longer, with
 * libFuzzer where it is there. */
#ifndef TN_FUZZ_MODELS_H
#define TN_FUZZ_MODELS_H

#include "mutate.h"

#include "config/text_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define LETTERS "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
#define LONG_NAME LETTERS LETTERS LETTERS LETTERS LETTERS LETTERS

static const char *const words[] = {"\n",
                                    "[",
                                    "[[",
                                    "]",
                                    "{",
                                    "}",
                                    "\"",
                                    "'",
                                    "=",
                                    ".",
                                    "#",
                                    "-1",
                                    "0",
                                    "1e999",
                                    "true",
                                    "{i}",
                                    "{i + 1}",
                                    "time",
                                    "DELAY(",
                                    ", 0.1, 0)",
                                    "VARVAL(",
                                    "DX(tip)",
                                    "FX(3)",
                                    "ACCX(tip)",
                                    "COORD(hinge, angle)",
                                    "RATE(",
                                    "JOINT(7, 0, 2, 0)",
                                    "IF(time: 1, 2, 3)",
                                    "DX(tip) < 1 and",
                                    "crosses = ",
                                    "stop_when = ",
                                    "1/0",
                                    "k",
                                    "ground",
                                    "body",
                                    "tip",
                                    "hinge",
                                    "lag",
                                    "mass_0",
                                    "\"[mm]\"",
                                    "[[repeat]]\n",
                                    "[[repeat.repeat]]\n",
                                    "[[part]]\n",
                                    "[[sensor]]\n",
                                    "[[change]]\n",
                                    "[[element]]\n",
                                    "[parameters]\n",
                                    "implicit = true\n",
                                    "integral = true\n",
                                    "active = false\n",
                                    "when = ",
                                    "count = 2\n",
                                    "name = \"body\"\n",
                                    "type = \"revolute\"\n",
                                    "[[material_pair]]\n",
                                    "material = \"stone\"\n",
                                    "type = \"shape\"\n",
                                    "kind = \"capsule\"\n",
                                    "type = \"contact\"\n",
                                    "law = \"penalty\"\n",
                                    "law = \"impulse\"\n",
                                    "start = \"resolve\"\n",
                                    "type = \"moreau\"\n",
                                    "constraint_solver = \"admm\"\n",
                                    "constraint_solver = {type = \"gauss_seidel\"}\n",
                                    "on_failure = \"continue\"\n",
                                    "theta = 1\n",
                                    "friction = 0\n",
                                    "type = \"put_spring\"\n",
                                    "limits = [-0.1, 0.1]\n",
                                    "strength = 1\n",
                                    "\xC3\xBC",
                                    "\xff",
                                    LONG_NAME,
                                    "name = \"" LONG_NAME "\"\n",
                                    "[output]\nstates = true\n",
                                    "stop_when = \"",
                                    "crosses = \""};

static const char *const files[] = {"/tests/fuzz/everything.toml",
                                    "/configs/seeds/reference_variable_robot.toml",
                                    "/configs/seeds/universal.toml",
                                    "/configs/seeds/coordinate_constraint.toml",
                                    "/configs/seeds/conditions.toml",
                                    "/configs/contact/stack.toml",
                                    "/configs/contact/rocking_block.toml",
                                    "/configs/contact/bouncing_ball.toml",
                                    "/configs/seeds/solfec_driven_chain.toml",
                                    "/configs/seeds/solfec_prescribed_motions.toml"};
enum { FILES = sizeof files / sizeof *files };

static void spoil_models(tn_fuzz_target *target)
{
    char *seeds[FILES];
    for (int k = 0; k < FILES; k++) {
        char path[4096];
        size_t length = 0;
        tn_text_failure failure;
        (void)snprintf(path, sizeof path, "%s%s", TENON_SOURCE_DIR, files[k]);
        seeds[k] = tn_text_file_read(path, &length, &failure);
        assert_non_null(seeds[k]);
    }
    tn_fuzz_language(&(tn_language){.words = words,
                                    .seeds = (const char *const *)seeds,
                                    .word_count = sizeof words / sizeof *words,
                                    .seed_count = FILES,
                                    .most_changes = 3},
                     target);
}

#endif
