#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int answer(int result) { return result < 0 ? -errno : result; }

uint64_t clinux_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int control(int epoll, int operation, int fd, uint32_t interest, uint64_t token) {
  struct epoll_event event = {0};
  if (interest & CLINUX_READABLE) event.events |= EPOLLIN;
  if (interest & CLINUX_WRITABLE) event.events |= EPOLLOUT;
  if (interest & CLINUX_ONCE) event.events |= EPOLLET;
  event.data.u64 = token;
  return answer(epoll_ctl(epoll, operation, fd, &event));
}

int clinux_epoll_create(void) { return answer(epoll_create1(EPOLL_CLOEXEC)); }

int clinux_epoll_add(int epoll, int fd, uint32_t interest, uint64_t token) {
  return control(epoll, EPOLL_CTL_ADD, fd, interest, token);
}

int clinux_epoll_modify(int epoll, int fd, uint32_t interest, uint64_t token) {
  return control(epoll, EPOLL_CTL_MOD, fd, interest, token);
}

int clinux_epoll_remove(int epoll, int fd) { return control(epoll, EPOLL_CTL_DEL, fd, 0, 0); }

// One call waits for descriptors and the time, to the nanosecond: a timer of its own would be a system call more for each
// time that it moves, and a wake-up for nothing each time that it was not worth moving.
static int wait_until(int epoll, struct epoll_event *events, int capacity, uint64_t deadline) {
  if (deadline == UINT64_MAX) return epoll_wait(epoll, events, capacity, -1);
  uint64_t now = deadline == 0 ? 0 : clinux_now();
  if (deadline <= now) return epoll_wait(epoll, events, capacity, 0);
  uint64_t left = deadline - now;
#ifdef SYS_epoll_pwait2
  struct timespec time = {.tv_sec = (time_t)(left / 1000000000u), .tv_nsec = (long)(left % 1000000000u)};
  int count = (int)syscall(SYS_epoll_pwait2, epoll, events, capacity, &time, NULL, (size_t)0);
  // Linux before 5.11 has no such call, and a container's filter that is older than the call may forbid it.
  if (count >= 0 || (errno != ENOSYS && errno != EPERM)) return count;
#endif
  uint64_t milliseconds = (left - 1) / 1000000u + 1;
  return epoll_wait(epoll, events, capacity, milliseconds > INT_MAX ? INT_MAX : (int)milliseconds);
}

int clinux_epoll_wait(int epoll, clinux_ready *ready, int capacity, uint64_t deadline) {
  struct epoll_event events[64];
  int count = wait_until(epoll, events, capacity < 64 ? capacity : 64, deadline);
  if (count < 0) return errno == EINTR ? 0 : -errno;
  for (int i = 0; i < count; i++) {
    ready[i].token = events[i].data.u64;
    ready[i].marks = 0;
    if (events[i].events & EPOLLIN) ready[i].marks |= CLINUX_READABLE;
    if (events[i].events & EPOLLOUT) ready[i].marks |= CLINUX_WRITABLE;
    if (events[i].events & (EPOLLERR | EPOLLHUP)) ready[i].marks |= CLINUX_FAILED;
  }
  return count;
}

uint64_t clinux_suspended_time(void) {
  struct timespec boot, now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  clock_gettime(CLOCK_BOOTTIME, &boot);
  int64_t difference = (int64_t)(boot.tv_sec - now.tv_sec) * 1000000000 + (boot.tv_nsec - now.tv_nsec);
  return difference > 0 ? (uint64_t)difference : 0;
}

int clinux_clock_watch_create(void) {
  return answer(timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC));
}

int clinux_clock_watch_arm(int watch) {
  // Far ahead: only the jump counts, which makes the next read fail with ECANCELED. The kernel reports one when the
  // machine wakes up, too, since real time continues meanwhile and monotonic time does not.
  struct itimerspec value = {.it_value = {.tv_sec = (time_t)1 << 33}};
  return answer(timerfd_settime(watch, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &value, NULL));
}

int clinux_timer_create(void) {
  return answer(timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC));
}

int clinux_timer_arm(int timer, uint64_t nanoseconds) {
  struct itimerspec value = {0};
  // The kernel keeps the time as a signed count of nanoseconds; beyond it means never.
  if (nanoseconds > INT64_MAX) nanoseconds = INT64_MAX;
  value.it_value.tv_sec = (time_t)(nanoseconds / 1000000000u);
  value.it_value.tv_nsec = (long)(nanoseconds % 1000000000u);
  return answer(timerfd_settime(timer, TFD_TIMER_ABSTIME, &value, NULL));
}

int clinux_event_create(void) { return answer(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)); }

int clinux_event_signal(int event) {
  uint64_t one = 1;
  for (;;) {
    if (write(event, &one, sizeof one) == (ssize_t)sizeof one) return 0;
    if (errno == EAGAIN) return 0;  // The counter is full, so the loop is awake anyway.
    if (errno != EINTR) return -errno;
  }
}

void clinux_drain(int fd) {
  uint64_t count;
  while (read(fd, &count, sizeof count) < 0 && errno == EINTR) {}
}

void clinux_close(int fd) { close(fd); }

int clinux_close_from(posix_spawn_file_actions_t *actions, int first) {
  return -posix_spawn_file_actions_addclosefrom_np(actions, first);
}

void clinux_thread_name(pthread_t thread, const char *name) { (void)pthread_setname_np(thread, name); }

bool clinux_is_name(const char *path, int fd) {
  struct stat named, opened;
  return stat(path, &named) == 0 && fstat(fd, &opened) == 0 && named.st_ino == opened.st_ino &&
         named.st_dev == opened.st_dev;
}
