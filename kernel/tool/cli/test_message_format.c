/* test_message_format.c - messages of the program as JSON, and in colours on a terminal */
#define _GNU_SOURCE
#include "cli/test_directory.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>

static void write_file(const char *name, const char *text) { write_bytes(name, text, strlen(text)); }

/* What a command says, and its exit status. */
static int run(const char *command, char *said, size_t size)
{
    FILE *output = popen(command, "r");
    assert_non_null(output);
    said[fread(said, 1, size - 1, output)] = '\0';
    const int status = pclose(output);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Runs `tenon` with these words: this must be its standard error. */
static void check_words(const char *words, int status, const char *errors)
{
    char command[1024], said[16384];
    (void)snprintf(command, sizeof command, "%s %s 2>&1 >/dev/null", TENON_BINARY, words);
    assert_int_equal(run(command, said, sizeof said), status);
    assert_string_equal(said, errors);
}

static void check_json(const char *model, const char *errors)
{
    write_file("m.toml", model);
    check_words("check m.toml --message-format json", 2, errors);
}

/* ---- JSON ------------------------------------------------------------------------------------------------ */

static void every_message_is_an_object_on_a_line(void **state)
{
    (void)state;
    check_json(
        "[parameters]\nk = \"2*lenght\"\n\tlength = [1,\n2]\n[modell]\n",
        "{\"severity\": \"error\", \"file\": \"m.toml\", \"line\": 2, \"column\": 8, \"end_line\": 2, "
        "\"end_column\": 14, \"text\": \"unknown name `lenght`: did you mean `length`?\", "
        "\"hint\": \"length\", \"excerpt\": \"k = \\\"2*lenght\\\"\", \"excerpt_column\": 8, "
        "\"excerpt_end_column\": 14}\n"
        "{\"severity\": \"error\", \"file\": \"m.toml\", \"line\": 3, \"column\": 11, \"end_line\": 4, "
        "\"end_column\": 3, \"text\": \"`length`: a number is expected, not an array\", "
        "\"excerpt\": \"\\u0009length = [1,\", \"excerpt_column\": 11, \"excerpt_end_column\": 14}\n"
        "{\"severity\": \"error\", \"file\": \"m.toml\", \"line\": 5, \"column\": 2, \"end_line\": 5, "
        "\"end_column\": 8, \"text\": \"unknown key `modell`: did you mean `model`?\", "
        "\"hint\": \"model\", \"excerpt\": \"[modell]\", \"excerpt_column\": 2, "
        "\"excerpt_end_column\": 8}\n");
}

static void what_is_not_known_is_absent(void **state)
{
    (void)state;
    check_words(
        "check nowhere.toml --message-format=json", 2,
        "{\"severity\": \"error\", \"file\": \"nowhere.toml\", \"text\": \"cannot read: No such file or "
        "directory\"}\n");
    write_file("m.toml", right_model);
    check_words("check m.toml --message-format json --set parameters.k", 2,
                "{\"severity\": \"error\", \"text\": \"--set parameters.k: `path=value` is expected\"}\n");
}

static void copies_and_what_is_not_shown_are_told(void **state)
{
    (void)state;
    check_json(
        "[[repeat]]\ncount = 3\nvariable = \"i\"\n[[repeat.element]]\nname = \"m_{i}\"\n"
        "type = \"mass_point\"\nmass = \"i - 2\"\n[solver]\ntype = \"rk\"\nend_time = 1\nstep = 0.1\n",
        "{\"severity\": \"error\", \"file\": \"m.toml\", \"line\": 7, \"column\": 8, \"end_line\": 7, "
        "\"end_column\": 15, \"text\": \"`mass` of `m_0`: -2 is out of range: it must be larger than 0\", "
        "\"copy\": \"with i = 0\", \"in_other_copies\": true, \"excerpt\": \"mass = \\\"i - 2\\\"\", "
        "\"excerpt_column\": 8, \"excerpt_end_column\": 15}\n");
    char model[4096] = "", said[16384];
    for (int k = 0; k < 25; k++)
        (void)sprintf(model + strlen(model), "k%d = 1\n", k);
    write_file("m.toml", model);
    assert_int_equal(run(TENON_BINARY " check m.toml --message-format json 2>&1", said, sizeof said), 2);
    assert_non_null(strstr(
        said, "}\n{\"severity\": \"error\", \"text\": \"... and 15 more of this kind\", \"more\": 15}\n"));
}

/* A byte that is not UTF-8 in the name of a file. */
static void names_of_files_are_always_texts_of_json(void **state)
{
    (void)state;
    check_words(
        "check 'a\xE9.toml' --message-format json", 2,
        "{\"severity\": \"error\", \"file\": \"a\\\\xe9.toml\", \"text\": \"cannot read: No such file or "
        "directory\"}\n");
}

static void mistakes_of_the_command_line_are_told_as_it_says(void **state)
{
    (void)state;
    check_words("check --bogus m.toml --message-format json", 2,
                "{\"severity\": \"error\", \"text\": \"tenon check: unknown option \\\"--bogus\\\"\"}\n"
                "{\"severity\": \"note\", \"text\": \"`tenon check --help` shows how to use it\"}\n");
    check_words("run m.toml --message-format xml", 2,
                "tenon run: --message-format takes text or json, not \"xml\"\n"
                "`tenon run --help` shows how to use it\n");
    check_words("run m.toml --message-format", 2,
                "tenon run: --message-format needs a value: --message-format FORMAT\n"
                "`tenon run --help` shows how to use it\n");
    write_file("m.toml", "a = 1\n");
    check_words("check m.toml --message-format text --set a=2", 2,
                "m.toml:1:1: error: unknown key `a`\n    1 | a = 1\n      | ^\n");
}

/* All lines of a run that fails: notes, the failure, and one that results cannot be written. */
static void a_run_tells_all_as_json(void **state)
{
    (void)state;
    write_file(
        "m.toml",
        "[[element]]\nname = \"a\"\ntype = \"mass_point\"\nmass = 1\n"
        "[[element]]\nname = \"s\"\ntype = \"spring_damper\"\nmarkers = [\"ground\", \"a\"]\nstiffness = 1\n"
        "[solver]\ntype = \"rk\"\nend_time = 1\nstep = 0.1\n");
    char said[16384];
    assert_int_equal(
        run(TENON_BINARY " run m.toml --out r --message-format json 2>&1 >/dev/null", said, sizeof said), 1);
    char *rest = said;
    size_t count = 0;
    for (char *line; (line = strsep(&rest, "\n")) && *line; count++) {
        assert_int_equal(strncmp(line, "{\"severity\": \"", 14), 0);
        assert_int_equal(line[strlen(line) - 1], '}');
    }
    assert_true(count > 0);
    write_file("blocked", "");
    check_words(
        "run m.toml --out blocked --message-format json", 1,
        "{\"severity\": \"error\", \"text\": \"directory blocked cannot be made: Not a directory\"}\n");
    assert_int_equal(system("rm -r r blocked"), 0);
}

/* Every line can be read by a reader of JSON, where the machine has one. */
static void python_reads_all_lines(void **state)
{
    (void)state;
    if (system("python3 -c 'import json' 2>/dev/null") != 0) skip();
    static const char reader[] = "import json, sys\n"
                                 "objects = [json.loads(line) for line in sys.stdin]\n"
                                 "for o in objects:\n"
                                 "    print(o['severity'], o.get('line'), o.get('hint'), o.get('excerpt'))\n";
    write_file("m.toml", "'\xC3\xA4' = 1\n");
    write_file("reader.py", reader);
    char said[4096];
    (void)run(TENON_BINARY " check m.toml --message-format json 2>&1 >/dev/null | python3 reader.py", said,
              sizeof said);
    assert_string_equal(said, "error 1 None '\xC3\xA4' = 1\n");
    write_file("m.toml", "[solver]\n# \\ \"\ntyp = 'a\\ \"'\n");
    (void)run(TENON_BINARY " check m.toml --message-format json 2>&1 >/dev/null | python3 reader.py", said,
              sizeof said);
    (void)unlink("reader.py");
    assert_non_null(strstr(said, "error 3 "));
}

/* ---- colours --------------------------------------------------------------------------------------------- */

/* Reads at least `wanted` characters of a terminal, without its carriage returns: they come in pieces, after the
 * program that wrote them may have ended. What comes besides within 10 ms is read, too. */
static void read_terminal(int master, size_t wanted, char *said, size_t room)
{
    size_t length = 0;
    struct pollfd waiting = {.fd = master, .events = POLLIN};
    while (length < room - 1 && poll(&waiting, 1, length < wanted ? 10000 : 10) == 1) {
        const ssize_t c = read(master, said + length, 1);
        assert_int_equal(c, 1);
        if (said[length] != '\r') length++;
    }
    said[length] = '\0';
}

/* What `tenon check m.toml` writes to a terminal. */
static void check_terminal(const char *environment, const char *expected)
{
    char command[1024], said[4096];
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    const char *terminal = ptsname(master);
    assert_non_null(terminal);
    const int kept = open(terminal, O_RDWR | O_NOCTTY); /* what is written stays there to be read */
    assert_true(kept >= 0);
    (void)snprintf(command, sizeof command, "env %s %s check m.toml 2>%s >/dev/null", environment,
                   TENON_BINARY, terminal);
    const int status = system(command);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 2);
    read_terminal(master, strlen(expected), said, sizeof said);
    assert_string_equal(said, expected);
    assert_true(close(kept) == 0 && close(master) == 0);
}

static void a_terminal_shows_colours_unless_they_are_not_wanted(void **state)
{
    (void)state;
    static const char coloured[] =
        "m.toml:1:1: \x1b[1;31merror\x1b[0m: unknown key `mdel`: did you mean `model`?\n"
        "    1 | mdel = 1\n      | \x1b[1;31m^~~~\x1b[0m\n";
    static const char plain[] = "m.toml:1:1: error: unknown key `mdel`: did you mean `model`?\n"
                                "    1 | mdel = 1\n      | ^~~~\n";
    write_file("m.toml", "mdel = 1\n");
    check_terminal("-u NO_COLOR TERM=xterm", coloured);
    check_terminal("NO_COLOR= TERM=xterm", coloured);
    check_terminal("NO_COLOR=1 TERM=xterm", plain);
    check_terminal("-u NO_COLOR TERM=dumb", plain);
    check_words("check m.toml", 2, plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_message_is_an_object_on_a_line),
        cmocka_unit_test(what_is_not_known_is_absent),
        cmocka_unit_test(copies_and_what_is_not_shown_are_told),
        cmocka_unit_test(names_of_files_are_always_texts_of_json),
        cmocka_unit_test(mistakes_of_the_command_line_are_told_as_it_says),
        cmocka_unit_test(a_run_tells_all_as_json),
        cmocka_unit_test(python_reads_all_lines),
        cmocka_unit_test(a_terminal_shows_colours_unless_they_are_not_wanted),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
