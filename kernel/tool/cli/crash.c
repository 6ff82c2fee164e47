/* crash.c - what a crash leaves behind (see crash.h)
 *
 * All that on_crash() reaches runs inside a signal handler, on a stack of its own: it calls nothing that takes a lock
 * or memory. */
#define _GNU_SOURCE
#include "cli/crash.h"

#include "cli/message.h"
#include "run/signal_text.h"
#include "plugin/call_site.h"
#include "run/study.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <unistd.h>

static const struct caught {
    int number;
    const char *name;
} caught[] = {
    {SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"}, {SIGILL, "SIGILL"}, {SIGABRT, "SIGABRT"}};
enum { CAUGHT = sizeof caught / sizeof *caught };

static const tn_study *watched;
static bool quiet; /* the terminal shows no progress */
/* The call in hand of the thread that runs everything: what it calls may have started other threads. */
static const tn_call_site **main_site;
static uintptr_t stack_low, stack_high;
static bool terminal; /* progress may stand in the line of the message */

static pid_t process; /* the children that a plugin starts may end as they like */

static bool is_running(void) { return watched && watched->run_file.beginning; }

/* ---- why ------------------------------------------------------------------------------------------------- */

static const char *signal_name(int number)
{
    int k = 0;
    while (caught[k].number != number)
        k++;
    return caught[k].name;
}

/* Nothing else lies closely below the stack of a program, so that an access there was meant for the stack. */
static bool is_stack(const void *address)
{
    const uintptr_t largest_frame = 8u << 20, place = (uintptr_t)address;
    return place < stack_high && place + largest_frame >= stack_low;
}

/* Libraries abort where they have no memory; errno says so. */
static bool lacks_memory(int number) { return number == SIGABRT && errno == ENOMEM; }

/* "SIGSEGV (memory access at 0x10)" */
static void put_cause(tn_signal_text *text, int number, const siginfo_t *info)
{
    const bool memory = number == SIGSEGV || number == SIGBUS;
    tn_put(text, signal_name(number), NULL);
    if (info->si_code == SI_USER) {
        tn_put(text, " (sent by process ", NULL);
        tn_put_integer(text, (uint64_t)info->si_pid);
    } else if (number == SIGABRT) {
        tn_put(text, lacks_memory(number) ? " (abort: out of memory" : " (abort", NULL);
    } else if (memory && info->si_code == SI_KERNEL) {
        tn_put(text, " (memory access at no possible address", NULL);
    } else if (memory && is_stack(info->si_addr)) {
        tn_put(text, " (stack overflow", NULL);
    } else if (number == SIGFPE) {
        tn_put(text, info->si_code == FPE_INTDIV ? " (integer division by zero" : " (arithmetic error", NULL);
    } else {
        tn_put(text, memory ? " (memory access at " : " (illegal instruction at ", NULL);
        tn_put_address(text, info->si_addr);
    }
    tn_put(text, ")", NULL);
}

/* ---- where ----------------------------------------------------------------------------------------------- */

/* "`spring` (model.toml:14:1)"; the place when the model has been read. */
static void put_item(tn_signal_text *text, const tn_model *model, const char *name)
{
    tn_put(text, " `", name, "`", NULL);
    const uint32_t item = model ? tn_names_find(&model->names, name) : TN_NO_NAME;
    if (item == TN_NO_NAME) return;
    const tn_place place = model->item[item].origin->at->place;
    if (!place.line) return; /* it is there without being declared */
    tn_put(text, " (", place.file, ":", NULL);
    tn_put_integer(text, place.line);
    tn_put(text, ":", NULL);
    tn_put_integer(text, place.column);
    tn_put(text, ")", NULL);
}

/* Which instance is in hand: the name of an only one, else how many there are. */
static void put_instances(tn_signal_text *text, const tn_model *model, const void *type)
{
    for (size_t k = 0; model && k < model->use_count; k++) {
        const tn_use *use = &model->use[k];
        if (use->element != type && use->marker != type) continue;
        if (use->count == 1) {
            put_item(text, model, tn_item_name(model, use->item[0]));
        } else {
            tn_put(text, ", in one of ", NULL);
            tn_put_integer(text, use->count);
            tn_put(text, " instances", NULL);
        }
    }
}

static void put_plugin(tn_signal_text *text, const tn_plugin_file *file)
{
    tn_put(text, "; plugin ", NULL);
    if (file->library) tn_put(text, file->library->name, " ", file->library->version, ", ", NULL);
    tn_put(text, file->path, NULL);
}

/* "force of element spring_damper `spring` (model.toml:14:1); plugin spring_damper 1.0.0, plugins/spring_damper.so" */
static void put_site(tn_signal_text *text, const tn_call_site *site)
{
    const tn_registry *registry = watched ? watched->registry : NULL;
    const tn_kind *kind = registry && site->type ? tn_registry_kind_of(registry, site->type) : NULL;
    tn_put(text, " in ", site->function, NULL);
    if (!kind) { /* a library is being loaded */
        tn_put(text, " of plugin ", site->item, NULL);
        return;
    }
    tn_put(text, " of ", kind->key, " ", tn_type_description(kind, site->type).name, NULL);
    if (site->item)
        put_item(text, watched->model, site->item);
    else
        put_instances(text, watched->model, site->type);
    put_plugin(text, tn_registry_file_of(registry, site->type));
}

/* The current call of a plugin, or that there is none. */
static void put_call(tn_signal_text *text, const tn_call_site *site)
{
    if (site)
        put_site(text, site);
    else
        tn_put(text, " in no call of a plugin", NULL);
}

/* ---- the report ------------------------------------------------------------------------------------------ */

static tn_signal_text reason;
static bool told; /* all but the rows that writers keep back is done */
static atomic_flag taken = ATOMIC_FLAG_INIT;
/* A crash within the report, or a call that ends the program, enters it again */
static _Thread_local int depth;

/* Only the first reason is reported. */
static void take_report(void)
{
    depth++;
    if (depth > 1) return;
    while (atomic_flag_test_and_set(&taken))
        (void)pause(); /* another thread tells its end, and ends the program */
}

/* The current call of a plugin: a thread that a plugin has started has none. */
static const tn_call_site *site_of_thread(void) { return tn_site ? tn_site : *main_site; }

static void put_time(tn_signal_text *text)
{
    if (!is_running()) return;
    tn_put(text, "at time ", NULL);
    tn_put_real(text, watched->assembly->system.time);
    tn_put(text, " s: ", NULL);
}

static void put_reason(int number, const siginfo_t *info)
{
    const tn_call_site *site = site_of_thread();
    put_time(&reason);
    put_cause(&reason, number, info);
    put_call(&reason, site);
    if (!site && info->si_code != SI_USER && !lacks_memory(number))
        tn_put(&reason, ": this is a mistake in Tenon, please report it", NULL);
}

/* A path may be longer than a text of memory. */
static void write_parts(const char *const *part)
{
    for (; *part; part++)
        (void)tn_write_text(STDERR_FILENO, *part);
}

static bool writes_json(void) { return tn_message_chosen() == TN_MESSAGES_JSON; }

static void write_json(const char *severity, const char *const *part)
{
    static tn_signal_text text;
    write_parts((const char *const[]){"{\"severity\": \"", severity, "\", \"text\": \"", NULL});
    for (; *part; part++) {
        text = (tn_signal_text){0};
        tn_put_escaped(&text, *part); /* the escapes of TOML are those of JSON */
        (void)tn_write_text(STDERR_FILENO, text.byte);
    }
    (void)tn_write_text(STDERR_FILENO, "\"}\n");
}

/* An error of these parts, in the form that the user has chosen. */
static void write_error(const char *const *part)
{
    if (writes_json()) {
        write_json("error", part);
        return;
    }
    (void)tn_write_text(STDERR_FILENO, "error: ");
    write_parts(part);
    (void)tn_write_text(STDERR_FILENO, "\n");
}

static void tell_reason(void)
{
    const bool running = is_running();
    if (running && terminal && !quiet && !writes_json()) (void)tn_write_text(STDERR_FILENO, "\n");
    write_error((const char *const[]){running ? "the simulation failed " : "", reason.byte,
                                      running ? "; results so far are in " : "",
                                      running ? watched->plan.directory : "", NULL});
    if (!running) return;
    if (!tn_run_file_write_crashed(watched, "failed", reason.byte))
        write_error((const char *const[]){watched->plan.directory, "/run.toml cannot be written", NULL});
    told = true;
    tn_recorder_flush(watched->recorder);
}

static void on_crash(int number, siginfo_t *info, void *context)
{
    (void)context;
    take_report();
    if (depth == 1) {
        put_reason(number, info);
        tell_reason();
    } else if (depth == 2 && !told) {
        /* the reason could not be put together, or not be told: as far as it goes, once more */
        tn_put(&reason, "... (the crash has damaged the rest of this report)", NULL);
        tell_reason();
    }
    _exit(1);
}

enum { GRACE = 2 };    /* s: for a run to end by itself */
static unsigned limit; /* s; 0: there is none */
static timer_t limit_timer;
static volatile sig_atomic_t *asked;

static void on_limit(int number)
{
    if (!limit) return;
    if (asked && is_running() && !*asked) {
        *asked = number;
        return;
    }
    const tn_call_site *site = site_of_thread();
    take_report();
    if (depth > 1) return;
    put_time(&reason);
    tn_put(&reason, "the run has not ended after ", NULL);
    tn_put_integer(&reason, limit);
    tn_put(&reason, " s: it is", NULL);
    put_call(&reason, site);
    tell_reason();
    _exit(1);
}

/* A timer of its own: the one of alarm() belongs to interrupts, and to plugins. */
bool tn_crash_limit(unsigned seconds, volatile sig_atomic_t *ask)
{
    const struct sigaction action = {.sa_handler = on_limit, .sa_flags = (int)(SA_ONSTACK | SA_RESTART)};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGVTALRM};
    const struct itimerspec end = {.it_value.tv_sec = (time_t)seconds, .it_interval.tv_sec = GRACE};
    limit = seconds;
    asked = ask;
    return sigaction(SIGVTALRM, &action, NULL) == 0 &&
           timer_create(CLOCK_MONOTONIC, &event, &limit_timer) == 0 &&
           timer_settime(limit_timer, 0, &end, NULL) == 0;
}

void tn_crash_unlimit(void)
{
    if (limit) (void)timer_settime(limit_timer, 0, &(const struct itimerspec){{0}, {0}}, NULL);
    limit = 0;
}

void tn_crash_refuse(const char *call)
{
    const tn_call_site *site = site_of_thread();
    if (!site || depth || getpid() != process) return;
    take_report();
    put_time(&reason);
    tn_put(&reason, call, " was called", NULL);
    put_site(&reason, site);
    tell_reason();
    _exit(1);
}

void tn_crash_tell_place(void)
{
    static tn_signal_text text;
    const tn_call_site *site = main_site ? *main_site : NULL;
    text = (tn_signal_text){0};
    tn_put(&text, "no step has been accepted since the program was asked to end: ", NULL);
    put_time(&text);
    tn_put(&text, "it is", NULL);
    put_call(&text, site);
    tn_put(&text, "; Ctrl-C once more ends it here", NULL);
    if (writes_json())
        write_json("note", (const char *const[]){text.byte, NULL});
    else
        write_parts((const char *const[]){"\nnote: ", text.byte, "\n", NULL});
}

void tn_crash_interrupted(int number)
{
    if (!is_running()) {
        (void)signal(number, SIG_DFL);
        (void)raise(number);
        return;
    }
    take_report();
    (void)tn_run_file_write_crashed(watched, "interrupted", NULL);
    tn_recorder_flush(watched->recorder);
    _exit(128 + number);
}

int tn_crash_lacks_memory(const char *what)
{
    put_time(&reason);
    tn_put(&reason, what, NULL);
    tell_reason();
    return 1;
}

/* ---- installation ---------------------------------------------------------------------------------------- */

void tn_crash_watch(const tn_study *study, bool without_progress)
{
    watched = study;
    quiet = without_progress;
}

/* The name of the program stands at the upper end of the stack. The C library would read all mappings of the process. */
static void find_stack(void)
{
    pthread_attr_t attributes;
    void *low = NULL;
    size_t size = 0;
    struct rlimit size_limit;
    const uintptr_t end = getauxval(AT_EXECFN);
    if (getrlimit(RLIMIT_STACK, &size_limit) == 0 && size_limit.rlim_cur < end) {
        stack_low = end - size_limit.rlim_cur;
        stack_high = end;
        return;
    }
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    if (pthread_attr_getstack(&attributes, &low, &size) == 0) {
        stack_low = (uintptr_t)low;
        stack_high = stack_low + size;
    }
    (void)pthread_attr_destroy(&attributes);
}

void tn_crash_catch(void)
{
    static char stack[1 << 16]; /* for the handler: the program's own may be what has overflowed */
    const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    /* a crash inside the handler enters it again, which ends the program with its status all the same */
    struct sigaction action = {.sa_sigaction = on_crash,
                               .sa_flags = (int)(SA_SIGINFO | SA_ONSTACK | SA_NODEFER)};
    find_stack();
    process = getpid();
    main_site = &tn_site;
    terminal = isatty(STDERR_FILENO);
    (void)sigaltstack(&alternate, NULL);
    for (int k = 0; k < CAUGHT; k++)
        (void)sigaction(caught[k].number, &action, NULL);
}
