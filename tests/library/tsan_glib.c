/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GLib is not built with the thread sanitizer, which therefore sees no lock in GMutex and
 * no order in what is made once, and calls all that they guard a race. Linked with --wrap, this says what they do.
 * G_SLICE=always-malloc does the same for GLib's allocator.
 */
#include <glib.h>
#include <sanitizer/tsan_interface.h>

void __real_g_mutex_lock(GMutex *mutex);
void __real_g_mutex_unlock(GMutex *mutex);
gboolean __real_g_once_init_enter(volatile void *location);
void __real_g_once_init_leave(volatile void *location, gsize result);
void __wrap_g_mutex_lock(GMutex *mutex);
void __wrap_g_mutex_unlock(GMutex *mutex);
gboolean __wrap_g_once_init_enter(volatile void *location);
void __wrap_g_once_init_leave(volatile void *location, gsize result);

void
__wrap_g_mutex_lock(GMutex *mutex)
{
    __real_g_mutex_lock(mutex);
    __tsan_acquire(mutex);
}

void
__wrap_g_mutex_unlock(GMutex *mutex)
{
    __tsan_release(mutex);
    __real_g_mutex_unlock(mutex);
}

void
__wrap_g_once_init_leave(volatile void *location, gsize result)
{
    __tsan_release((void *)location);
    __real_g_once_init_leave(location, result);
}

gboolean
__wrap_g_once_init_enter(volatile void *location)
{
    gboolean first = __real_g_once_init_enter(location);
    __tsan_acquire((void *)location);
    return first;
}
