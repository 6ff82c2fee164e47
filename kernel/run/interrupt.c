/* interrupt.c - signals that end a run (see interrupt.h) */
#define _GNU_SOURCE
#include "run/interrupt.h"

#include "run/crash.h"

#include <stddef.h>

volatile sig_atomic_t tn_interrupted;

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
enum { NUMBERS = sizeof numbers / sizeof *numbers };
static struct sigaction before[NUMBERS];

static void on_interrupt(int number)
{
    if (tn_interrupted) tn_crash_interrupted(number);
    tn_interrupted = number;
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
    set_of_interrupts(&action.sa_mask);
    for (int k = 0; k < NUMBERS; k++) {
        (void)sigaction(numbers[k], NULL, &before[k]);
        if (before[k].sa_handler != SIG_IGN) (void)sigaction(numbers[k], &action, NULL);
    }
}

void tn_interrupts_release(void)
{
    for (int k = 0; k < NUMBERS; k++)
        (void)sigaction(numbers[k], &before[k], NULL);
}

static void mask(int how)
{
    sigset_t set;
    set_of_interrupts(&set);
    (void)sigprocmask(how, &set, NULL);
}

void tn_interrupts_hold(void) { mask(SIG_BLOCK); }

void tn_interrupts_resume(void) { mask(SIG_UNBLOCK); }
