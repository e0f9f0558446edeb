/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a program and kills it with SIGKILL when it is about to make its N-th system call,
 * those of all its threads counted.
 *
 * Usage: kill-at-call N PROGRAM ARGUMENT...
 * Exit: 0 killed, 3 the program ended before; prints the name of the call and its
 * number. With N = 0 it is never killed and the number of calls is printed. 77: not
 * permitted.
 */
#define _GNU_SOURCE 1
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_ENDED = 3, EXIT_SKIPPED = 77, MOST_THREADS = 4096 };

/* Threads that are inside of a call: the stop that comes next is its end. */
static bool inside[MOST_THREADS];
static pid_t threads[MOST_THREADS];

static bool
enters(pid_t thread)
{
    for (int i = 0; i < MOST_THREADS; i++) {
        if (threads[i] == 0)
            threads[i] = thread;
        if (threads[i] == thread)
            return (inside[i] = !inside[i]);
    }
    return false;
}

static long
number_of_call(pid_t thread)
{
#if defined(__x86_64__)
    struct user_regs_struct registers;
    if (ptrace(PTRACE_GETREGS, thread, NULL, &registers) == 0)
        return (long)registers.orig_rax;
#else
    (void)thread;
#endif
    return -1;
}

static int
follow(pid_t child, long most)
{
    long calls = 0;
    for (;;) {
        int status;
        pid_t thread = waitpid(-1, &status, __WALL);
        if (thread < 0)
            return EXIT_ENDED;
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            if (thread != child)
                continue;
            printf("ended after %ld calls\n", calls);
            return EXIT_ENDED;
        }
        int sent = 0;
        if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
            if (enters(thread) && ++calls == most) {
                printf("killed at call %ld, number %ld\n", calls,
                       number_of_call(thread));
                (void)kill(child, SIGKILL);
                while (waitpid(-1, &status, __WALL) > 0)
                    continue;
                return 0;
            }
        } else if (WSTOPSIG(status) != SIGTRAP && WSTOPSIG(status) != SIGSTOP) {
            sent = WSTOPSIG(status);
        }
        (void)ptrace(PTRACE_SYSCALL, thread, NULL, (void *)(long)sent);
    }
}

int
main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    pid_t child = fork();
    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
            _exit(EXIT_SKIPPED);
        (void)raise(SIGSTOP);
        (void)execv(argv[2], argv + 2);
        _exit(127);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
        return EXIT_SKIPPED;
    long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL;
    if (ptrace(PTRACE_SETOPTIONS, child, NULL, (void *)options) != 0 ||
        ptrace(PTRACE_SYSCALL, child, NULL, NULL) != 0)
        return EXIT_SKIPPED;
    return follow(child, strtol(argv[1], NULL, 10));
}
