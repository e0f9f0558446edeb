/* SPDX-License-Identifier: Apache-2.0 */
#include "batch/signals.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

struct OcpSignals {
    void (*leave)(int signal, gpointer data);
    gpointer data;
    sigset_t waited;
    sigset_t before;
    int signals; /* descriptor that tells of a signal */
    int end;     /* descriptor that tells that the work is done */
    GThread *thread;
    GMutex lock;
    GCond released;
    guint held;
    bool leaving;
};

static void
say_goodbye(OcpSignals *signals, int number)
{
    g_mutex_lock(&signals->lock);
    signals->leaving = true;
    while (signals->held > 0)
        g_cond_wait(&signals->released, &signals->lock);
    if (signals->leave != NULL)
        signals->leave(number, signals->data);
    _exit(128 + number);
}

static gpointer
wait_for_signals(gpointer pointer)
{
    OcpSignals *signals = pointer;
    struct pollfd files[] = {{.fd = signals->signals, .events = POLLIN},
                             {.fd = signals->end, .events = POLLIN}};
    for (;;) {
        if (poll(files, G_N_ELEMENTS(files), -1) < 0)
            continue;
        struct signalfd_siginfo info;
        if (files[0].revents != 0 &&
            read(signals->signals, &info, sizeof info) == sizeof info)
            say_goodbye(signals, (int)info.ssi_signo);
        if (files[1].revents != 0)
            return NULL;
    }
}

static void
choose(sigset_t *ret)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    sigemptyset(ret);
    for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++) {
        struct sigaction action;
        if (sigaction(numbers[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(ret, numbers[i]);
    }
}

OcpSignals *
ocp_signals_new(void (*leave)(int signal, gpointer data), gpointer data)
{
    OcpSignals *signals = g_new0(OcpSignals, 1);
    signals->leave = leave;
    signals->data = data;
    g_mutex_init(&signals->lock);
    g_cond_init(&signals->released);
    choose(&signals->waited);
    signals->signals = signalfd(-1, &signals->waited, SFD_CLOEXEC | SFD_NONBLOCK);
    signals->end = eventfd(0, EFD_CLOEXEC);
    if (signals->signals < 0 || signals->end < 0)
        return signals; /* then signals do what they do by themselves */
    pthread_sigmask(SIG_BLOCK, &signals->waited, &signals->before);
    signals->thread = g_thread_new("signals", wait_for_signals, signals);
    return signals;
}

void
ocp_signals_free(OcpSignals *signals)
{
    if (signals == NULL)
        return;
    if (signals->thread != NULL) {
        guint64 one = 1;
        (void)!write(signals->end, &one, sizeof one);
        g_thread_join(signals->thread);
        pthread_sigmask(SIG_SETMASK, &signals->before, NULL);
    }
    if (signals->signals >= 0)
        (void)close(signals->signals);
    if (signals->end >= 0)
        (void)close(signals->end);
    g_cond_clear(&signals->released);
    g_mutex_clear(&signals->lock);
    g_free(signals);
}

void
ocp_signals_hold(OcpSignals *signals)
{
    if (signals == NULL)
        return;
    g_mutex_lock(&signals->lock);
    while (signals->leaving) /* for ever: the process is about to end */
        g_cond_wait(&signals->released, &signals->lock);
    signals->held++;
    g_mutex_unlock(&signals->lock);
}

void
ocp_signals_release(OcpSignals *signals)
{
    if (signals == NULL)
        return;
    g_mutex_lock(&signals->lock);
    signals->held--;
    g_cond_broadcast(&signals->released);
    g_mutex_unlock(&signals->lock);
}
