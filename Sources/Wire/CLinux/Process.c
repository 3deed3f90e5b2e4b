#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// A command is a grandchild: the child is process 1 of a PID namespace and does nothing but wait for it. The kernel
// ends everything in the namespace with process 1, and process 1 with us, so that no descendant can stay behind.
//
// Between clone and execve only async-signal-safe calls are made; other threads may have held any lock.

typedef struct failure {
  int error;
  int step;
} failure;

static pid_t duplicate(unsigned long flags) { return (pid_t)syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0); }

static void fail(int report, int error, int step) {
  failure message = {error, step};
  (void)!send(report, &message, sizeof message, MSG_NOSIGNAL);
  _exit(127);
}

static void reset_signals(void) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  for (int number = 1; number < NSIG; number++) sigaction(number, &action, NULL);
}

// Moves the descriptors to consecutive numbers from 0 and closes all others; none of them may be taken by a target.
static void keep_only(int *descriptors, int count) {
  for (int i = 0; i < count; i++) {
    while (descriptors[i] >= 0 && descriptors[i] < count) descriptors[i] = fcntl(descriptors[i], F_DUPFD, count);
  }
  for (int i = 0; i < count; i++) {
    if (descriptors[i] >= 0) dup2(descriptors[i], i);
    else close(i);
  }
  syscall(SYS_close_range, (unsigned)count, ~0u, 0u);
}

static void run_command(const clinux_command *command, int report) {
  if (command->owns_terminal) {
    // Signals are blocked here, so SIGTTOU does not stop us. Without a terminal this does nothing.
    setpgid(0, 0);
    tcsetpgrp(command->input, getpgrp());
  } else {
    setsid();
  }
  if (command->directory != NULL && chdir(command->directory) < 0) fail(report, errno, CLINUX_STEP_DIRECTORY);
  int null = open("/dev/null", O_RDWR);
  if (null < 0) fail(report, errno, CLINUX_STEP_OPEN_NULL);
  int descriptors[4] = {command->input, command->output, command->error, report};
  for (int i = 0; i < 3; i++) {
    if (descriptors[i] < 0) descriptors[i] = null;
  }
  keep_only(descriptors, 4);
  fcntl(3, F_SETFD, FD_CLOEXEC);
  // Sends the other end our number in its own PID namespace, by the credentials that the kernel adds.
  failure started = {0, CLINUX_STEP_EXECUTE};
  if (send(3, &started, sizeof started, MSG_NOSIGNAL) < 0) _exit(127);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(command->path, command->arguments, command->environment);
  fail(3, errno, CLINUX_STEP_EXECUTE);
}

static void run_first_process(const clinux_command *command, int report, int status, int parent) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0) fail(report, errno, CLINUX_STEP_FORK);
  struct pollfd alive = {.fd = parent, .events = POLLIN};
  if (poll(&alive, 1, 0) != 0) _exit(127);  // The parent died before the line above.
  reset_signals();
  if (!command->owns_terminal) setsid();
  prctl(PR_SET_NAME, "link-init");
  // The command sees its own process numbers in /proc. Where that may not be done it sees ours, which is bearable.
  if (mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) == 0) {
    (void)mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
  }
  pid_t child = duplicate(0);
  if (child < 0) fail(report, errno, CLINUX_STEP_FORK);
  if (child == 0) run_command(command, report);
  keep_only(&status, 1);
  for (;;) {
    clinux_ending ending = {0};
    struct rusage usage;
    int code;
    pid_t ended = wait4(-1, &code, 0, &usage);
    if (ended < 0 && errno == EINTR) continue;
    if (ended >= 0 && ended != child) continue;
    if (ended == child) {
      ending.exit_code = WIFEXITED(code) ? WEXITSTATUS(code) : 0;
      ending.signal = WIFSIGNALED(code) ? WTERMSIG(code) : 0;
      ending.user_microseconds = usage.ru_utime.tv_sec * 1000000 + usage.ru_utime.tv_usec;
      ending.system_microseconds = usage.ru_stime.tv_sec * 1000000 + usage.ru_stime.tv_usec;
      ending.peak_kilobytes = usage.ru_maxrss;
      (void)!write(0, &ending, sizeof ending);
    }
    _exit(0);
  }
}

// The command's process number and then whether execve worked; 0 or an errno.
static int await_start(int fd, pid_t *process, int *step) {
  bool has_started = false;
  for (;;) {
    failure message;
    _Alignas(struct cmsghdr) uint8_t control[CMSG_SPACE(sizeof(struct ucred))];
    struct iovec vector = {&message, sizeof message};
    struct msghdr header = {
        .msg_iov = &vector, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    ssize_t length = recvmsg(fd, &header, MSG_CMSG_CLOEXEC);
    if (length < 0 && errno == EINTR) continue;
    if (length < 0) return errno;
    if (length == 0) return has_started ? 0 : ECHILD;
    if (length != (ssize_t)sizeof message) return EPROTO;
    *step = message.step;
    if (message.error != 0) return message.error;
    struct cmsghdr *item = CMSG_FIRSTHDR(&header);
    if (item == NULL || item->cmsg_level != SOL_SOCKET || item->cmsg_type != SCM_CREDENTIALS) return EPROTO;
    struct ucred credentials;
    memcpy(&credentials, CMSG_DATA(item), sizeof credentials);
    *process = credentials.pid;
    has_started = true;
  }
}

static void close_all(const int *descriptors, int count) {
  for (int i = 0; i < count; i++) {
    if (descriptors[i] >= 0) close(descriptors[i]);
  }
}

int clinux_spawn(const clinux_command *command, clinux_child *child, int *step) {
  *step = CLINUX_STEP_FORK;
  // 0 and 1 report the start, 2 and 3 the end, 4 is ourselves.
  int fds[5] = {-1, -1, -1, -1, -1};
  int on = 1;
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0 ||
      setsockopt(fds[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on) < 0 || pipe2(fds + 2, O_CLOEXEC) < 0 ||
      (fds[4] = (int)syscall(SYS_pidfd_open, getpid(), 0)) < 0) {
    int error = errno;
    close_all(fds, 5);
    return -error;
  }
  // No handler of ours may run in the child before they are reset.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  child->first = duplicate(CLONE_NEWPID | CLONE_NEWNS);
  if (child->first == 0) run_first_process(command, fds[1], fds[3], fds[4]);
  int error = child->first < 0 ? errno : 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(fds[1]);
  close(fds[3]);
  close(fds[4]);
  if (error == 0) error = await_start(fds[0], &child->process, step);
  close(fds[0]);
  if (error != 0) {
    close(fds[2]);
    if (child->first > 0) {
      kill(child->first, SIGKILL);
      while (waitpid(child->first, NULL, 0) < 0 && errno == EINTR) {}
    }
    return -error;
  }
  child->status = fds[2];
  return 0;
}

bool clinux_await_end(const clinux_child *child, clinux_ending *ending) {
  ssize_t length;
  do {
    length = read(child->status, ending, sizeof *ending);
  } while (length < 0 && errno == EINTR);
  bool is_known = length == (ssize_t)sizeof *ending;
  siginfo_t info;
  // Left unreaped, so that its number stays taken until clinux_reap.
  while (waitid(P_PID, (id_t)child->first, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {}
  return is_known;
}

void clinux_reap(const clinux_child *child) {
  while (waitpid(child->first, NULL, 0) < 0 && errno == EINTR) {}
  close(child->status);
}

int64_t clinux_process_nanoseconds(pid_t process) {
  clockid_t clock;
  struct timespec time;
  int error = clock_getcpuclockid(process, &clock);
  if (error != 0) return -error;
  if (clock_gettime(clock, &time) < 0) return -errno;
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int clinux_set_timer_slack(uint64_t nanoseconds) {
  return prctl(PR_SET_TIMERSLACK, nanoseconds, 0, 0, 0) < 0 ? -errno : 0;
}

int64_t clinux_timer_slack(void) {
  int slack = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
  return slack < 0 ? -errno : slack;
}

int clinux_set_realtime(bool on) {
  struct sched_param parameters = {.sched_priority = on ? 10 : 0};
  return sched_setscheduler(0, on ? SCHED_FIFO | SCHED_RESET_ON_FORK : SCHED_OTHER, &parameters) < 0 ? -errno : 0;
}

int clinux_lock_memory(bool on) {
  if (!on) return munlockall() < 0 ? -errno : 0;
  // Not what is mapped later: where locked memory is limited, mapping more would then fail.
  return mlockall(MCL_CURRENT | MCL_ONFAULT) < 0 ? -errno : 0;
}

uint64_t clinux_wall_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void clinux_sleep_until(uint64_t nanoseconds) {
  struct timespec time = {
      .tv_sec = (time_t)(nanoseconds / 1000000000u), .tv_nsec = (long)(nanoseconds % 1000000000u)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {}
}

uint64_t clinux_thread_nanoseconds(void) {
  struct timespec used;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return (uint64_t)used.tv_sec * 1000000000u + (uint64_t)used.tv_nsec;
}
