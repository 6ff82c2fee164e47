/* interrupt.c - signals that end a run (see interrupt.h) */
#define _GNU_SOURCE
#include "cli/interrupt.h"

#include "cli/crash.h"
#include "system/accept.h"

#include <math.h>
#include <stddef.h>
#include <sys/time.h>

volatile sig_atomic_t tn_interrupted;

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
enum { NUMBERS = sizeof numbers / sizeof *numbers };
static struct sigaction before[NUMBERS], before_alarm;

/* The current step should end soon: after `seconds` the program prints the call that it is in. 0: no longer. */
static void await_step(int seconds)
{
    (void)setitimer(ITIMER_REAL, &(const struct itimerval){.it_value.tv_sec = seconds}, NULL);
}

static void on_interrupt(int number)
{
    if (tn_interrupted) tn_crash_interrupted(number);
    tn_interrupted = number;
    await_step(1);
}

static void on_late_step(int number)
{
    (void)number;
    tn_crash_tell_place();
}

static void set_of_interrupts(sigset_t *set)
{
    (void)sigemptyset(set);
    for (int k = 0; k < NUMBERS; k++)
        (void)sigaddset(set, numbers[k]);
}

void tn_interrupts_catch(void)
{
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESTART};
    const struct sigaction alarmed = {.sa_handler = on_late_step, .sa_flags = (int)SA_RESTART};
    (void)sigaction(SIGALRM, &alarmed, &before_alarm);
    set_of_interrupts(&action.sa_mask);
    for (int k = 0; k < NUMBERS; k++) {
        (void)sigaction(numbers[k], NULL, &before[k]);
        if (before[k].sa_handler != SIG_IGN) (void)sigaction(numbers[k], &action, NULL);
    }
}

void tn_interrupts_release(void)
{
    await_step(0);
    (void)sigaction(SIGALRM, &before_alarm, NULL);
    for (int k = 0; k < NUMBERS; k++)
        (void)sigaction(numbers[k], &before[k], NULL);
}

static tn_status see_interrupt(void *data, const tn_accepted_step *step)
{
    (void)data, (void)step;
    if (!tn_interrupted) return TN_OK;
    tn_interrupts_answered();
    return TN_EVENT;
}

static tn_step_observer observer = {.see = see_interrupt, .next = HUGE_VAL};

void tn_interrupts_observe(tn_assembly *assembly) { tn_accept_observe(assembly, &observer); }

void tn_interrupts_unobserve(tn_assembly *assembly) { tn_accept_unobserve(assembly, &observer); }

void tn_interrupts_answered(void)
{
    await_step(0);
    tn_crash_unlimit();
}

void tn_interrupts_mask(bool begins)
{
    sigset_t set;
    set_of_interrupts(&set);
    (void)sigprocmask(begins ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}
