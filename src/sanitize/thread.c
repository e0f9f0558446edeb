/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Only in builds with the thread sanitizer. It sees the locks of pthreads, but GLib's
 * are made of system calls of its own, so all that they guard would look unguarded.
 * Here the functions of GLib that we call say what they do.
 */
#include <dlfcn.h>
#include <glib.h>
#include <stdlib.h>
#include <unistd.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

/* The function that would have been called without this file. */
#define REAL(name)                                                                     \
    static gpointer real_;                                                             \
    gpointer found_ = __atomic_load_n(&real_, __ATOMIC_RELAXED);                       \
    if (found_ == NULL) {                                                              \
        found_ = dlsym(RTLD_NEXT, name);                                               \
        __atomic_store_n(&real_, found_, __ATOMIC_RELAXED);                            \
    }

__attribute__((visibility("default"))) void
g_mutex_lock(GMutex *mutex)
{
    REAL("g_mutex_lock")
    ((void (*)(GMutex *))found_)(mutex);
    __tsan_acquire(mutex);
}

__attribute__((visibility("default"))) void
g_mutex_unlock(GMutex *mutex)
{
    REAL("g_mutex_unlock")
    __tsan_release(mutex);
    ((void (*)(GMutex *))found_)(mutex);
}

__attribute__((visibility("default"))) void
g_cond_wait(GCond *cond, GMutex *mutex)
{
    REAL("g_cond_wait")
    __tsan_release(mutex);
    ((void (*)(GCond *, GMutex *))found_)(cond, mutex);
    __tsan_acquire(mutex);
}

__attribute__((visibility("default"))) gboolean
g_cond_wait_until(GCond *cond, GMutex *mutex, gint64 end)
{
    REAL("g_cond_wait_until")
    __tsan_release(mutex);
    gboolean signaled =
        ((gboolean(*)(GCond *, GMutex *, gint64))found_)(cond, mutex, end);
    __tsan_acquire(mutex);
    return signaled;
}

/* What is made once is seen whole by all. */
__attribute__((visibility("default")))
gboolean(g_once_init_enter)(volatile void *location)
{
    REAL("g_once_init_enter")
    gboolean first = ((gboolean(*)(volatile void *))found_)(location);
    __tsan_acquire((void *)location);
    return first;
}

__attribute__((visibility("default"))) void(g_once_init_leave)(volatile void *location,
                                                               gsize result)
{
    REAL("g_once_init_leave")
    __tsan_release((void *)location);
    ((void (*)(volatile void *, gsize))found_)(location, result);
}

/* The last to let go of it frees what others have read. */
__attribute__((visibility("default"))) void
g_bytes_unref(GBytes *bytes)
{
    REAL("g_bytes_unref")
    if (bytes == NULL)
        return;
    __tsan_release(bytes);
    __tsan_acquire(bytes);
    ((void (*)(GBytes *))found_)(bytes);
}

/* GLib's allocator of small pieces hands them from one thread to another out of sight.
 * It reads this before anything of the program runs: so the program is started again.
 */
__attribute__((constructor)) static void
use_malloc(int argc, char **argv)
{
    (void)argc;
    if (g_getenv("G_SLICE") == NULL && setenv("G_SLICE", "always-malloc", 0) == 0)
        (void)execv("/proc/self/exe", argv);
}
