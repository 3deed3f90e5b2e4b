#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "Lent.h"
#include "Locale.h"

static pthread_once_t locale_once = PTHREAD_ONCE_INIT;
static locale_t unicode;

static void find_locale(void) {
  static const char *const names[] = {"C.UTF-8", "C.utf8", "en_US.UTF-8"};
  for (size_t i = 0; i < sizeof names / sizeof *names && unicode == (locale_t)0; i++) {
    unicode = newlocale(LC_CTYPE_MASK, names[i], (locale_t)0);
  }
}

locale_t cterminal_unicode_locale(void) {
  pthread_once(&locale_once, find_locale);
  return unicode;
}

int cterminal_width(uint32_t scalar) {
  locale_t locale = cterminal_unicode_locale();
  if (locale == (locale_t)0) return scalar < 0x20 || (scalar >= 0x7F && scalar < 0xA0) ? -1 : 1;
  locale_t before = uselocale(locale);
  int width = wcwidth((wchar_t)scalar);
  uselocale(before);
  return width;
}

bool cterminal_size(int fd, int *columns, int *rows) {
  struct winsize size;
  if (ioctl(fd, TIOCGWINSZ, &size) < 0 || size.ws_col == 0 || size.ws_row == 0) return false;
  *columns = size.ws_col;
  *rows = size.ws_row;
  return true;
}

// The claimed terminal. Written before the handlers are installed, read in them.
static struct termios found;
static int terminal_input = -1, terminal_output = -1;
// The local modes that are off while it is claimed.
static tcflag_t modes_off;
static volatile sig_atomic_t is_claimed;
// The process is about to end by a signal.
static volatile sig_atomic_t is_ending;

static const int endings[] = {SIGINT,  SIGHUP, SIGTERM, SIGQUIT, SIGABRT,
                              SIGSEGV, SIGBUS, SIGILL,  SIGTRAP, SIGFPE};
enum { ENDINGS = sizeof endings / sizeof *endings };
static struct sigaction before[ENDINGS];

static void write_all(const char *bytes, size_t length) {
  while (terminal_output >= 0 && length > 0) {
    ssize_t written = write(terminal_output, bytes, length);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    bytes += written;
    length -= (size_t)written;
  }
}

void cterminal_restore(void) {
  if (!is_claimed) return;
  int error = errno;
  while (tcsetattr(terminal_input, TCSANOW, &found) < 0 && errno == EINTR) {}
  is_claimed = 0;
  // Last, since it waits where the output is held up: a second signal then ends the process with the modes in place.
  static const char paste_off[] = "\033[?2004l";
  write_all(paste_off, sizeof paste_off - 1);
  errno = error;
}

void cterminal_resume(void) {
  if (terminal_input < 0 || is_ending) return;
  is_claimed = 1;
  struct termios quiet = found;
  quiet.c_lflag &= ~modes_off;
  if (modes_off & ICANON) {
    quiet.c_cc[VMIN] = 1;
    quiet.c_cc[VTIME] = 0;
  }
  // What is typed meanwhile stays for the next line.
  while (tcsetattr(terminal_input, TCSADRAIN, &quiet) < 0 && errno == EINTR) {}
  static const char paste_on[] = "\033[?2004h";
  write_all(paste_on, sizeof paste_on - 1);
}

void cterminal_forget_input(int input) { tcflush(input, TCIFLUSH); }

// The editor's own descriptor for the terminal; -1 without an editor.
static volatile sig_atomic_t lent_input = -1;

void cterminal_lend(int descriptor) { lent_input = descriptor; }

void cterminal_wait_if_ending(void) {
  while (is_ending) pause();
}

// Takes the terminal from the thread that edits, which might change its modes between their being put back and the
// process's end.
static void withhold_input(void) {
  is_ending = 1;
  // Something that never has a byte and never ends: at an end of input the editor would still end its line.
  int nothing[2];
  if (lent_input >= 0 && pipe2(nothing, O_CLOEXEC) == 0) dup2(nothing[0], lent_input);
}

// Puts the modes back, then lets the signal do what it did before: end the process, or print a crash report first.
static void pass_on(int number) {
  for (size_t i = 0; i < ENDINGS; i++) {
    if (endings[i] != number) continue;
    if (is_claimed && before[i].sa_handler == SIG_DFL) withhold_input();
    cterminal_restore();
    sigaction(number, &before[i], NULL);
  }
  raise(number);
}

static int claim(int input, int output, tcflag_t off) {
  if (terminal_input >= 0) return -EBUSY;
  if (tcgetattr(input, &found) < 0) return -errno;
  static bool is_registered;
  if (!is_registered) atexit(cterminal_restore);
  is_registered = true;
  terminal_input = input;
  terminal_output = output;
  modes_off = off;
  struct sigaction action = {.sa_handler = pass_on};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < ENDINGS; i++) {
    sigaction(endings[i], NULL, &before[i]);
    // A process that ignores a signal, as under nohup with SIGHUP, continues to ignore it.
    if (before[i].sa_handler != SIG_IGN) sigaction(endings[i], &action, NULL);
  }
  cterminal_resume();
  return 0;
}

int cterminal_claim(int input, int output) { return claim(input, output, ICANON | ECHO); }

int cterminal_hide_input(int input) { return claim(input, -1, ECHO); }

void cterminal_release(void) {
  if (terminal_input < 0) return;
  cterminal_restore();
  for (size_t i = 0; i < ENDINGS; i++) {
    struct sigaction now;
    sigaction(endings[i], NULL, &now);
    if (now.sa_handler == pass_on) sigaction(endings[i], &before[i], NULL);
  }
  terminal_input = -1;
}

static int signal_pipe = -1;

static void forward(int number) {
  int error = errno;
  unsigned char byte = (unsigned char)number;
  (void)!write(signal_pipe, &byte, 1);
  errno = error;
}

int cterminal_forward_signals(const int *numbers, size_t count) {
  if (signal_pipe >= 0) return -EBUSY;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0) return -errno;
  signal_pipe = ends[1];
  struct sigaction action = {.sa_handler = forward, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < count; i++) {
    struct sigaction now;
    sigaction(numbers[i], NULL, &now);
    // A shell starts jobs in the background with SIGINT ignored.
    if (now.sa_handler != SIG_IGN) sigaction(numbers[i], &action, NULL);
  }
  return ends[0];
}

void cterminal_stop(void) {
  // With its own meaning SIGTSTP does nothing where no shell could continue the process; SIGSTOP would stop it permanently.
  struct sigaction original = {.sa_handler = SIG_DFL}, stop, resume;
  sigemptyset(&original.sa_mask);
  sigaction(SIGTSTP, &original, &stop);
  sigaction(SIGCONT, &original, &resume);
  // A thread of a queue has its signals blocked.
  sigset_t wanted, mask;
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGTSTP);
  pthread_sigmask(SIG_UNBLOCK, &wanted, &mask);
  raise(SIGTSTP);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  sigaction(SIGTSTP, &stop, NULL);
  sigaction(SIGCONT, &resume, NULL);
}
