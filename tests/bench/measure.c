/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measure RESULT PROGRAM ARGUMENT…: runs a program and writes to RESULT its exit status,
 * wall time (ns), processor time (µs), peak memory (KiB) and page faults. It is small
 * because a child's peak memory starts as that of the process it was forked from.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t
nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int64_t
microseconds(struct timeval time)
{
    return (int64_t)time.tv_sec * 1000000 + time.tv_usec;
}

int
main(int argc, char **argv)
{
    int status = 0;
    struct rusage used;
    if (argc < 3)
        return 2;
    int64_t start = nanoseconds();
    pid_t child = vfork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &used) != child)
        return 1;
    int64_t wall = nanoseconds() - start;
    FILE *file = fopen(argv[1], "w");
    if (file == NULL)
        return 1;
    fprintf(file, "%d %lld %lld %ld %ld\n",
            WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
            (long long)wall,
            (long long)(microseconds(used.ru_utime) + microseconds(used.ru_stime)),
            used.ru_maxrss, used.ru_minflt + used.ru_majflt);
    return fclose(file) == 0 ? 0 : 1;
}
