/* cli.h - the subcommands of `tenon`. Each gets argv starting at its own name and returns the exit status:
 * 0 success, 1 the answer is no or the work failed, 2 wrong usage or unreadable input, 3 an expectation of a run does not hold. */
#ifndef TN_CLI_H
#define TN_CLI_H

int tn_command_run(int argc, char **argv);
int tn_command_check(int argc, char **argv);
int tn_command_plugins(int argc, char **argv);
int tn_command_describe(int argc, char **argv);
int tn_command_schema(int argc, char **argv);
int tn_command_compare(int argc, char **argv);
int tn_command_convert(int argc, char **argv);
int tn_command_report(int argc, char **argv);
int tn_command_watch(int argc, char **argv);
int tn_command_recover(int argc, char **argv);
int tn_command_study(int argc, char **argv);
int tn_command_case(int argc, char **argv);
int tn_command_build(int argc, char **argv);

#endif
