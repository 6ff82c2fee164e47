/* test_errors_parts.c - parts: their tables, their files, and what names mean inside and outside of them */
#define _GNU_SOURCE
#include "tables/test_errors_files.h"

#define SOLVER "[solver]\ntype = \"rk\"\nend_time = 1\nstep = 0.1\n"
#define MASS "[[element]]\nname = \"mass\"\ntype = \"mass_point\"\nmass = 1\n"
#define PART(name, file) "[[part]]\nname = \"" name "\"\nfile = \"" file "\"\n"
#define SPRING(marker) \
    "[[element]]\nname = \"spring\"\ntype = \"spring_damper\"\nmarkers = [\"ground\", \"" marker "\"]\n"
#define SIGNAL(name) "[[signal]]\nname = \"" name "\"\nx = [0, 1, 2]\ny = [0, 1, 4]\n"
#define BEAD "[[element]]\nname = \"bead\"\nid = 7\ntype = \"mass_point\"\nmass = 1\n"
#define VARIABLE(name, expression) \
    "[[element]]\nname = \"" name "\"\ntype = \"reference_variable\"\nexpression = \"" expression "\"\n"
#define PUSH(value)                                                                                     \
    "[[element]]\nname = \"push\"\ntype = \"force\"\nmarkers = [\"mass\"]\nvalue = [\"" value "\", 0, " \
    "0]\n"

static void a_part_has_a_name_and_a_file(void **state)
{
    (void)state;
    static const scene scenes[] = {
        {{{"model.toml", PART("a", "p.toml") SOLVER}, {"p.toml", MASS}}, ""},
        {{{"model.toml", PART("a", "p.toml") SOLVER}, {"p.toml", ""}}, ""},
        {{{"model.toml", "[[part]]\n" SOLVER}},
         "model.toml:1:1: error: missing key `name` (name of the part, which prefixes the names of its "
         "items)\n"},
        {{{"model.toml", "[[part]]\nname = \"a\"\n" SOLVER}},
         "model.toml:1:1: error: missing key `file` of `a` (of the part)\n"},
        {{{"model.toml", PART("a.b", "p.toml") SOLVER}, {"p.toml", MASS}},
         "model.toml:2:8: error: `a.b` is not a name: letters, digits and _ only\n"},
        {{{"model.toml", "[[part]]\nname = 3\nfile = \"p.toml\"\n" SOLVER}, {"p.toml", MASS}},
         "model.toml:2:8: error: `name` is a string\n"},
        {{{"model.toml", "[[part]]\nname = \"a\"\nfile = 3\n" SOLVER}},
         "model.toml:3:8: error: `file` is a string\n"},
        {{{"model.toml", PART("a", "p.toml") PART("a", "p.toml") SOLVER}, {"p.toml", MASS}},
         "model.toml:5:1: error: another part has the name `a`\n"},
        {{{"model.toml", PART("a", "p.toml") "placement = 1\npositon = [0, 0, 1]\n" SOLVER},
          {"p.toml", MASS}},
         "model.toml:4:1: error: unknown key `placement`\n"
         "model.toml:5:1: error: unknown key `positon`: did you mean `position`?\n"},
        {{{"model.toml", PART("a", "p.toml") "position = [1, 2]\n" SOLVER}, {"p.toml", MASS}},
         "model.toml:4:12: error: `position` of `a`: an array of 3 numbers is expected (m)\n"},
        {{{"model.toml",
           "[[repeat]]\ncount = 2\n[[repeat.part]]\nname = \"a{i}\"\nfile = \"p.toml\"\n" SOLVER},
          {"p.toml", MASS}},
         "model.toml:3:10: error: unknown key `part`\n"},
        {{{"model.toml", "part = 3\n" SOLVER}},
         "model.toml:1:8: error: `part` is an array of tables: write [[part]]\n"},
        {{{"model.toml", "[part]\nuses = []\n" SOLVER}},
         "model.toml:1:2: error: [part] belongs in the file of a part: a model has [[part]] tables\n"},
        {{{"model.toml", "uses = []\n" SOLVER}}, "model.toml:1:1: error: unknown key `uses`\n"},
        /* nothing of a part that cannot be read is missed */
        {{{"model.toml", PART("a", "p.toml") SPRING("a.mass") SOLVER}},
         "model.toml:3:8: error: `p.toml`: cannot read: No such file or directory\n"},
        {{{"model.toml", PART("a", "folder") SPRING("a.mass") SOLVER}, {"folder/p.toml", ""}},
         "model.toml:3:8: error: `folder`: cannot read: Is a directory\n"},
    };
    CHECK_SCENES(scenes);
}

static void parts_cannot_hold_themselves(void **state)
{
    (void)state;
    static const scene scenes[] = {
        {{{"model.toml", PART("a", "./model.toml") SOLVER}},
         "model.toml:3:8: error: `./model.toml` is part of itself\n"},
        {{{"model.toml", PART("a", "p.toml") SOLVER}, {"p.toml", PART("b", "p.toml")}},
         "p.toml:3:8: error: `p.toml` is part of itself (in part `a`, model.toml:1:1)\n"},
        {{{"model.toml", PART("a", "p.toml") SOLVER},
          {"p.toml", PART("b", "sub/q.toml")},
          {"sub/q.toml", PART("c", "../p.toml")}},
         "sub/q.toml:3:8: error: `../p.toml` is part of itself (in part `a.b`, p.toml:1:1, in part `a`, "
         "model.toml:1:1)\n"},
    };
    CHECK_SCENES(scenes);
}

/* A chain of this many parts; a spring hangs on the mass in the innermost one. */
static char *report_chain(int depth)
{
    char directory[] = "/tmp/test_errors_XXXXXX", name[64], text[256];
    open_directory(directory);
    write_below(directory, "model.toml", PART("part_with_a_long_name", "p1.toml") SOLVER);
    for (int k = 1; k <= depth; k++) {
        (void)snprintf(name, sizeof name, "p%d.toml", k);
        (void)snprintf(text, sizeof text, PART("part_with_a_long_name", "p%d.toml"), k + 1);
        write_below(directory, name, k == depth ? MASS SPRING("mass") : text);
    }
    char *errors = reported_in(directory, false);
    close_directory(directory);
    return errors;
}

static void parts_nest_a_hundred_deep(void **state)
{
    (void)state;
    char *errors = report_chain(100);
    assert_string_equal(errors, "");
    free(errors);
    errors = report_chain(150);
    assert_non_null(
        strstr(errors, "p100.toml:3:8: error: parts are nested more than 100 deep (in part `part"));
    assert_ptr_equal(strchr(errors, '\n'), errors + strlen(errors) - 1); /* one line */
    free(errors);
}

static void what_belongs_to_the_model_is_refused(void **state)
{
    (void)state;
    static const scene scenes[] = {
        {{{"model.toml", PART("a", "p.toml") SOLVER},
          {"p.toml", "[model]\nname = \"p\"\n" MASS SOLVER "[output]\ninterval = 0.1\n"}},
         "p.toml:1:2: error: `model` belongs in the file of the model, not in that of a part (in part "
         "`a`, "
         "model.toml:1:1)\n"
         "p.toml:7:2: error: `solver` belongs in the file of the model, not in that of a part (in part "
         "`a`, "
         "model.toml:1:1)\n"
         "p.toml:11:2: error: `output` belongs in the file of the model, not in that of a part (in part "
         "`a`, "
         "model.toml:1:1)\n"},
        {{{"model.toml", PART("a", "p.toml") SOLVER}, {"p.toml", "[[elment]]\n"}},
         "p.toml:1:3: error: unknown key `elment`: did you mean `element`? (in part `a`, model.toml:1:1)\n"},
        {{{"model.toml", PART("a", "p.toml") SOLVER}, {"p.toml", "part = 3\n"}},
         "p.toml:1:8: error: `part` is an array of tables: write [[part]] (in part `a`, model.toml:1:1)\n"},
    };
    CHECK_SCENES(scenes);
}

static void parameters_are_those_of_the_file(void **state)
{
    (void)state;
    static const scene scenes[] = {
        {{{"model.toml", "[parameters]\nm = 2\n" PART("a", "p.toml") "parameters = { k = \"2*m\" }\n" SOLVER},
          {"p.toml", "[parameters]\nk = 1\nm = \"k + 1\"\n" MASS}},
         ""},
        {{{"model.toml", PART("a", "p.toml") "parameters = { stifness = 2 }\n" SOLVER},
          {"p.toml", "[parameters]\nstiffness = 1\n" MASS}},
         "model.toml:4:16: error: the part has no parameter `stifness`: did you mean `stiffness`?\n"},
        {{{"model.toml", PART("a", "p.toml") "parameters = { k = 2 }\n" SOLVER}, {"p.toml", MASS}},
         "model.toml:4:16: error: the part has no parameter `k`\n"},
        {{{"model.toml", PART("a", "p.toml") "parameters = 3\n" SOLVER}, {"p.toml", MASS}},
         "model.toml:4:14: error: `parameters` is a table of numbers\n"},
        /* an expression is one of the scope that it stands in */
        {{{"model.toml", PART("a", "p.toml") "parameters = { k = \"2*m\" }\n" SOLVER},
          {"p.toml", "[parameters]\nk = 1\nm = 3\n" MASS}},
         "model.toml:4:23: error: unknown name `m`\n"},
        {{{"model.toml", "[parameters]\nm = 3\n" PART("a", "p.toml") SOLVER},
          {"p.toml", "[parameters]\nk = \"2*m\"\n" MASS}},
         "p.toml:2:8: error: `m` is a parameter outside of this part: declare it in the part, and pass it by "
         "[[part]] with parameters = { m = \"m\" } (in part `a`, model.toml:3:1)\n"},
        {{{"model.toml", "[parameters]\nm = \"2*a.k\"\n" PART("a", "p.toml") SOLVER},
          {"p.toml", "[parameters]\nk = 1\n"}},
         "model.toml:2:8: error: the parameters of part `a` are known in its own file only\n"},
    };
    CHECK_SCENES(scenes);
}

static void names_from_outside_are_listed(void **state)
{
    (void)state;
    static const scene scenes[] = {
        {{{"model.toml", MASS PART("a", "p.toml") SOLVER},
          {"p.toml", "[part]\nuses = [\"mass\"]\n" SPRING("mass")}},
         ""},
        {{{"model.toml", MASS PART("a", "p.toml") SOLVER}, {"p.toml", SPRING("mass")}},
         "p.toml:4:22: error: `mass` is outside of this part: list it in `[part] uses` (in part `a`, "
         "model.toml:5:1)\n"},
        {{{"model.toml", MASS PART("a", "p.toml") SOLVER}, {"p.toml", SPRING("mas")}},
         "p.toml:4:22: error: there is no element or marker `mas` (in part `a`, model.toml:5:1)\n"},
        {{{"model.toml", MASS PART("a", "p.toml") SOLVER}, {"p.toml", "[part]\nuses = [\"mas\"]\n"}},
         "p.toml:2:9: error: the outer model has no name `mas`: did you mean `mass`? (in part `a`, "
         "model.toml:5:1)\n"},
        /* `ground` may be listed, and need not be */
        {{{"model.toml", PART("a", "p.toml") SOLVER},
          {"p.toml", "[part]\nuses = [\"ground\"]\n" MASS SPRING("mass")}},
         ""},
        {{{"model.toml", "[parameters]\nk = 1\n" PART("a", "p.toml") SOLVER},
          {"p.toml", "[part]\nuses = [\"k\"]\n"}},
         "p.toml:2:9: error: `k` is a parameter: pass it by [[part]] with parameters = { k = \"k\" } (in "
         "part "
         "`a`, model.toml:3:1)\n"},
        /* a marker, a signal, a whole part, something in a part */
        {{{"model.toml", MASS
           "[[marker]]\nname = \"tip\"\ntype = \"point\"\nelement = \"mass\"\n" PART("a", "p.toml") SOLVER},
          {"p.toml", "[part]\nuses = [\"tip\"]\n" SPRING("tip")}},
         ""},
        {{{"model.toml", SIGNAL("curve") PART("a", "p.toml") SOLVER},
          {"p.toml", "[part]\nuses = [\"curve\"]\n" MASS PUSH("spline(curve, time)")}},
         ""},
        {{{"model.toml", SIGNAL("curve") PART("a", "p.toml") SOLVER},
          {"p.toml", MASS PUSH("spline(curve, time)")}},
         "p.toml:9:18: error: `curve` is outside of this part: list it in `[part] uses` (in part `a`, "
         "model.toml:5:1)\n"},
        {{{"model.toml", PART("a", "p.toml") PART("b", "q.toml") SOLVER},
          {"p.toml", MASS},
          {"q.toml", "[part]\nuses = [\"a\"]\n" SPRING("a.mass")}},
         ""},
        {{{"model.toml", PART("a", "p.toml") PART("b", "q.toml") SOLVER},
          {"p.toml", MASS},
          {"q.toml", "[part]\nuses = [\"a.mass\"]\n" SPRING("a.mass")}},
         ""},
        /* a part in a part hands on what it uses itself */
        {{{"model.toml", MASS PART("a", "p.toml") SOLVER},
          {"p.toml", "uses = [\"mass\"]\n" PART("b", "q.toml")},
          {"q.toml", "[part]\nuses = [\"mass\"]\n" SPRING("mass")}},
         ""},
        {{{"model.toml", MASS PART("a", "p.toml") SOLVER},
          {"p.toml", PART("b", "q.toml")},
          {"q.toml", "[part]\nuses = [\"mass\"]\n" SPRING("mass")}},
         "q.toml:2:9: error: the outer model has no name `mass` (in part `a.b`, p.toml:1:1, in part "
         "`a`, "
         "model.toml:5:1)\n"
         "q.toml:6:22: error: `mass` is outside of this part: list it in `[part] uses` (in part `a.b`, "
         "p.toml:1:1, "
         "in part `a`, model.toml:5:1)\n"},
        {{{"model.toml", PART("a", "p.toml") SOLVER}, {"p.toml", "[part]\nuses = \"mass\"\n"}},
         "p.toml:2:8: error: `uses` is an array of names (in part `a`, model.toml:1:1)\n"},
        {{{"model.toml", PART("a", "p.toml") SOLVER}, {"p.toml", "[part]\nuses = [3]\n"}},
         "p.toml:2:9: error: a name is expected (in part `a`, model.toml:1:1)\n"},
        {{{"model.toml", PART("a", "p.toml") SOLVER}, {"p.toml", "[part]\nuse = []\n"}},
         "p.toml:2:1: error: unknown key `use`: did you mean `uses`? (in part `a`, model.toml:1:1)\n"},
        {{{"model.toml", PART("a", "p.toml") SOLVER}, {"p.toml", "uses = []\n[part]\n"}},
         "p.toml:1:1: error: `uses` belongs in the table [part] of this file (in part `a`, "
         "model.toml:1:1)\n"},
    };
    CHECK_SCENES(scenes);
}

/* Ids are those of the part, too. */
static void expressions_read_what_is_in_their_part(void **state)
{
    (void)state;
    static const scene scenes[] = {
        {{{"model.toml", MASS PART("a", "p.toml") VARIABLE("v", "DX(a.bead) + VARVAL(a.w)") SOLVER},
          {"p.toml", "[part]\nuses = [\"mass\", \"v\"]\n" BEAD VARIABLE("w", "DX(mass, bead) + DX(7)")
                         VARIABLE("x", "VARVAL(v) + VARVAL(w)")}},
         ""},
        {{{"model.toml", MASS PART("a", "p.toml") VARIABLE("v", "1") SOLVER},
          {"p.toml", BEAD VARIABLE("w", "DX(mass) + VARVAL(v) + DX(beat)")}},
         "p.toml:9:18: error: `mass` is outside of this part: list it in `[part] uses` (in part `a`, "
         "model.toml:5:1)\n"
         "p.toml:9:33: error: `v` is outside of this part: list it in `[part] uses` (in part `a`, "
         "model.toml:5:1)\n"
         "p.toml:9:41: error: there is no element or marker `beat`: did you mean `bead`? (in part `a`, "
         "model.toml:5:1)\n"},
        {{{"model.toml", PART("a", "p.toml") VARIABLE("v", "DX(7)") SOLVER}, {"p.toml", BEAD}},
         "model.toml:7:18: error: there is no body or marker with the id 7\n"},
    };
    CHECK_SCENES(scenes);
}

static void the_model_reaches_into_its_parts(void **state)
{
    (void)state;
    static const scene scenes[] = {
        {{{"model.toml", MASS PART("a", "p.toml") SPRING("a.b.mass") PUSH("spline(a.b.curve, time)") SOLVER},
          {"p.toml", PART("b", "q.toml")},
          {"q.toml", MASS SIGNAL("curve")}},
         ""},
        {{{"model.toml", PART("a", "p.toml") SPRING("a.mas") SOLVER}, {"p.toml", MASS}},
         "model.toml:7:22: error: there is no element or marker `a.mas`: did you mean `a.mass`?\n"},
        {{{"model.toml", MASS PART("a", "p.toml") PUSH("spline(a.curv, time)") SOLVER},
          {"p.toml", SIGNAL("curve")}},
         "model.toml:12:18: error: there is no signal `a.curv`: did you mean `a.curve`?\n"},
    };
    CHECK_SCENES(scenes);
}

static void names_and_numbers_are_local_to_a_part(void **state)
{
    (void)state;
    static const scene scenes[] = {
        {{{"model.toml", MASS "id = 1\n" SIGNAL("mass") PART("mass", "p.toml") PART("b", "p.toml") SOLVER},
          {"p.toml", MASS "id = 1\n" SIGNAL("mass")}},
         ""},
        {{{"model.toml", PART("a", "p.toml") SOLVER},
          {"p.toml", MASS "id = 1\n[[element]]\nname = \"other\"\n"
                          "type = \"mass_point\"\nmass = 1\nid = 1\n"}},
         "p.toml:10:1: error: the id 1 is taken (in part `a`, model.toml:1:1)\n"},
        {{{"model.toml", PART("a", "p.toml") SOLVER}, {"p.toml", MASS MASS}},
         "p.toml:6:1: error: the name `mass` is taken, at line 2 (in part `a`, model.toml:1:1)\n"},
        /* the columns of a vector have dots, too */
        {{{"model.toml", MASS "[[sensor]]\nname = \"a\"\nelement = \"mass\"\noutput = \"position\"\n"
                              "[[sensor]]\nname = \"b\"\nelement = \"mass\"\noutput = \"position\"\n" PART(
                                  "a", "p.toml") SOLVER},
          {"p.toml", "[[sensor]]\nname = \"x\"\nexpression = \"time\"\n"}},
         "p.toml:2:1: error: another column of the results has the name `a.x` (in part `a`, "
         "model.toml:13:1)\n"},
        {{{"model.toml", MASS
           "[[sensor]]\nname = \"a\"\nelement = \"mass\"\noutput = \"kinetic_energy\"\n" PART("a", "p.toml")
               SOLVER},
          {"p.toml", "[[sensor]]\nname = \"x\"\nexpression = \"time\"\n"}},
         ""},
    };
    CHECK_SCENES(scenes);
}

static void a_part_may_include_files(void **state)
{
    (void)state;
    static const scene scenes[] = {
        {{{"model.toml", MASS SIGNAL("curve") PART("a", "sub/p.toml") SOLVER},
          {"sub/p.toml", "[include]\nfiles = [\"../inc/i.toml\"]\n[part]\nuses = [\"curve\"]\n"
                         "[[sensor]]\nname = \"s\"\nexpression = \"spline(curve, time)\"\n"},
          {"inc/i.toml", "[part]\nuses = [\"mass\"]\n" SPRING("mass")}},
         ""},
        {{{"model.toml", PART("a", "sub/p.toml") SOLVER},
          {"sub/p.toml", "[include]\nfiles = [\"../inc/i.toml\"]\n"},
          {"inc/i.toml", MASS "mas = 2\n"}},
         "sub/../inc/i.toml:5:1: error: unknown key `mas`: did you mean `mass`? (included from "
         "sub/p.toml:2:10, in "
         "part `a`, model.toml:1:1)\n"},
        {{{"model.toml", PART("a", "p.toml") SOLVER},
          {"p.toml", "[include]\nfiles = [\"i.toml\"]\n"},
          {"i.toml", PART("b", "p.toml")}},
         "i.toml:3:8: error: `p.toml` is part of itself (included from p.toml:2:10, in part `a`, "
         "model.toml:1:1)\n"},
        /* a model is no part, included or not */
        {{{"model.toml", "[include]\nfiles = [\"p.toml\"]\n" SOLVER}, {"p.toml", "[part]\nuses = [\"x\"]\n"}},
         "p.toml:1:2: error: [part] belongs in the file of a part: a model has [[part]] tables (included "
         "from "
         "model.toml:2:10)\n"},
    };
    CHECK_SCENES(scenes);
}

/* One line tells an error of a file that is used several times. */
static void copies_are_counted_not_listed(void **state)
{
    (void)state;
    static const scene scenes[] = {
        {{{"model.toml",
           PART("a", "p.toml") PART("b", "p.toml") PART("c", "p.toml") PART("d", "p.toml") SOLVER},
          {"p.toml", MASS "stifness = 3\n[[repeat]]\ncount = 2\n[[repeat.element]]\nname = \"r{i}\"\n"
                          "type = \"mass_point\"\nmass = \"-i\"\n"}},
         "p.toml:5:1: error: unknown key `stifness` (in part `a`, model.toml:1:1, and in other "
         "copies)\np.toml:11:8: error: `mass` of `r0`: -0 is out of range: it must be larger than 0 (with i "
         "= 0, in part `a`, model.toml:1:1, and in other copies)\n"},
        {{{"model.toml", PART("a", "p.toml") PART("b", "p.toml") "parameters = { m = -1 }\n" SOLVER},
          {"p.toml",
           "[parameters]\nm = 1\n[[element]]\nname = \"mass\"\ntype = \"mass_point\"\nmass = \"m\"\n"}},
         "p.toml:6:8: error: `mass` of `mass`: -1 is out of range: it must be larger than 0 (in part `b`, "
         "model.toml:4:1)\n"},
    };
    CHECK_SCENES(scenes);
}

static void a_model_sets_values_in_the_file(void **state)
{
    (void)state;
#define SET(text)                                                   \
    {                                                               \
        "model.toml", PART("a", "p.toml") "set = " text "\n" SOLVER \
    }
    static const scene scenes[] = {
        {{SET("{ \"element.mass.mass\" = \"2*k\", \"parameters.k\" = 3, \"part.b.element.mass.mass\" = 2 }"),
          {"p.toml", "[parameters]\nk = 1\n" MASS PART("b", "q.toml")},
          {"q.toml", MASS}},
         ""},
        {{SET("{ \"element.mass.mas\" = 2 }"), {"p.toml", MASS}},
         "model.toml:4:9: error: unknown key `mas`: did you mean `mass`? (in part `a`)\n"},
        {{SET("{ \"element.mass.mass\" = -2 }"), {"p.toml", MASS}},
         "model.toml:4:31: error: `mass` of `mass`: -2 is out of range: it must be larger than 0 (in part "
         "`a`)\n"},
        {{SET("{ \"element.mass.mass\" = \"2*k\" }"), {"p.toml", MASS}},
         "model.toml:4:34: error: unknown name `k` (in part `a`)\n"},
        {{SET("{ \"element.mas.mass\" = 2 }"), {"p.toml", MASS}},
         "model.toml:4:9: error: \"element\" has no item named \"mas\": did you mean \"mass\"?\n"},
        {{SET("{ \"part.c.element.mass.mass\" = 2 }"), {"p.toml", PART("b", "q.toml")}, {"q.toml", MASS}},
         "model.toml:4:9: error: \"part\" has no item named \"c\"\n"},
        {{SET("{ element.mass.mass = 2 }"), {"p.toml", MASS}},
         "model.toml:4:9: error: a path in quotes is needed, such as \"element.NAME.key\" = 200\n"},
        {{SET("{ \"include.files\" = [] }"), {"p.toml", MASS}},
         "model.toml:4:9: error: [include] has been read already: change it in the file\n"},
        {{SET("3"), {"p.toml", MASS}},
         "model.toml:4:7: error: `set` is a table of values by path: { \"element.spring.stiffness\" = 200 "
         "}\n"},
    };
    CHECK_SCENES(scenes);
}

static void a_part_is_a_table_of_an_array(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, "[[part]]\nname = \"a\"\nfile = \"/nowhere/p.toml\"\n",
         "28:8: error: `/nowhere/p.toml`: cannot read: No such file or directory\n"},
    };
    CHECK_CHANGES(changes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_part_has_a_name_and_a_file),
        cmocka_unit_test(parts_cannot_hold_themselves),
        cmocka_unit_test(parts_nest_a_hundred_deep),
        cmocka_unit_test(what_belongs_to_the_model_is_refused),
        cmocka_unit_test(parameters_are_those_of_the_file),
        cmocka_unit_test(names_from_outside_are_listed),
        cmocka_unit_test(expressions_read_what_is_in_their_part),
        cmocka_unit_test(the_model_reaches_into_its_parts),
        cmocka_unit_test(names_and_numbers_are_local_to_a_part),
        cmocka_unit_test(a_part_may_include_files),
        cmocka_unit_test(copies_are_counted_not_listed),
        cmocka_unit_test(a_model_sets_values_in_the_file),
        cmocka_unit_test(a_part_is_a_table_of_an_array),
    };
    return cmocka_run_group_tests(tests, open_registry, close_registry);
}
