#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <histedit.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "Ahead.h"
#include "Draft.h"
#include "Keys.h"
#include "Lent.h"
#include "Locale.h"
#include "Recall.h"
#include "Screen.h"

enum { PROMPT_LIMIT = 128, REPLACEMENT = 0xFFFD };

struct cterminal_editor {
  EditLine *line;
  HistoryW *messages;
  HistoryW *nothing;
  cterminal_recall recall;
  cterminal_draft draft;
  cterminal_ahead ahead;
  // Whether a message is read, or was read last; of one a draft is kept.
  bool is_message;
  // Whether the draft is to be shown before the first key.
  bool is_draft_due;
  FILE *input;
  FILE *output;
  int wake[2];
  cterminal_interlude interlude;
  void *context;
  wchar_t prompt[PROMPT_LIMIT];
  // Why the reading of characters stopped; CTERMINAL_LINE while it continues.
  cterminal_outcome outcome;
  // How many characters the line had when a key was last waited for.
  size_t shown;
  // A byte that was read and belongs to the next character; -1 for none.
  int held;
  char *text;
  size_t capacity;
};

static cterminal_editor *editor_of(EditLine *line) {
  void *data = NULL;
  el_wget(line, EL_CLIENTDATA, &data);
  return data;
}

cterminal_recall *cterminal_recall_of(EditLine *line) { return &editor_of(line)->recall; }

static wchar_t *prompt_of(EditLine *line) { return editor_of(line)->prompt; }

// MARK: Reading

// Does what another thread wants; false if the line is given up.
static bool attend(cterminal_editor *editor) {
  unsigned char reason;
  if (read(editor->wake[0], &reason, 1) != 1) return true;
  switch ((cterminal_wake)reason) {
    case CTERMINAL_WAKE_INTERRUPT: {
      const LineInfoW *line = el_wline(editor->line);
      editor->outcome = line->lastchar > line->buffer ? CTERMINAL_DROPPED : CTERMINAL_INTERRUPTED;
      cterminal_screen_leave(editor->line, editor->prompt, editor->output);
      return false;
    }
    case CTERMINAL_WAKE_WITHDRAW:
      if (editor->is_message) cterminal_draft_keep(&editor->draft, editor->line);
      cterminal_screen_erase(editor->line, editor->prompt, editor->output);
      editor->outcome = CTERMINAL_WITHDRAWN;
      return false;
    case CTERMINAL_WAKE_INTERLUDE:
      cterminal_screen_erase(editor->line, editor->prompt, editor->output);
      editor->interlude(editor->context);
      break;
    case CTERMINAL_WAKE_RESIZE:
      el_resize(editor->line);
      cterminal_screen_erase(editor->line, editor->prompt, editor->output);
      break;
    case CTERMINAL_WAKE_RESUME:
      cterminal_resume();
      // What others wrote meanwhile stays where it is.
      fputs("\r\033[J", editor->output);
      // libedit believes that the terminal still has its modes.
      el_wset(editor->line, EL_PREP_TERM, 0);
      el_wset(editor->line, EL_PREP_TERM, 1);
      break;
  }
  el_wset(editor->line, EL_REFRESH);
  return true;
}

// 1 and the byte, 0 at the end or when the line is given up.
static int read_byte(cterminal_editor *editor, unsigned char *byte) {
  if (editor->held >= 0) {
    *byte = (unsigned char)editor->held;
    editor->held = -1;
    return 1;
  }
  int fd = fileno(editor->input);
  for (;;) {
    struct pollfd waits[2] = {{.fd = editor->wake[0], .events = POLLIN}, {.fd = fd, .events = POLLIN}};
    bool is_ahead = editor->is_message && editor->ahead.next < editor->ahead.count;
    if (poll(waits, 2, is_ahead ? 0 : -1) < 0) {
      if (errno == EINTR) continue;
      editor->outcome = CTERMINAL_END;
      return 0;
    }
    if (waits[0].revents != 0) {
      if (!attend(editor)) return 0;
      continue;
    }
    if (editor->is_message && cterminal_ahead_next(&editor->ahead, byte)) return 1;
    ssize_t length = read(fd, byte, 1);
    if (length == 1) return 1;
    if (length < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    editor->outcome = CTERMINAL_END;
    return 0;
  }
}

// Redraws a line that libedit shows wrongly: where a character of two cells, or of none, is behind the place that
// something was typed or taken away at, its update leaves pieces of the old line.
static void redraw(cterminal_editor *editor) {
  const LineInfoW *line = el_wline(editor->line);
  size_t length = (size_t)(line->lastchar - line->buffer);
  bool has_changed = length != editor->shown;
  editor->shown = length;
  if (!has_changed) return;
  for (const wchar_t *next = line->cursor; next < line->lastchar; next++) {
    if (*next == L'\n' || wcwidth(*next) == 1) continue;
    cterminal_screen_erase(editor->line, editor->prompt, editor->output);
    el_wset(editor->line, EL_REFRESH);
    return;
  }
}

// libedit's own reading can't be woken, and takes its bytes for the process's locale.
static int read_character(EditLine *line, wchar_t *character) {
  cterminal_editor *editor = editor_of(line);
  if (editor->is_draft_due) {
    editor->is_draft_due = false;
    if (cterminal_draft_restore(&editor->draft, line)) el_wset(line, EL_REFRESH);
  }
  redraw(editor);
  unsigned char byte;
  if (read_byte(editor, &byte) != 1) return 0;
  int rest = byte < 0x80 ? 0 : byte >= 0xF0 && byte < 0xF5 ? 3 : byte >= 0xE0 && byte < 0xF0 ? 2 : byte >= 0xC2 && byte < 0xE0 ? 1 : -1;
  if (rest < 0) {
    *character = REPLACEMENT;
    return 1;
  }
  static const unsigned char first_bits[] = {0x7F, 0x1F, 0x0F, 0x07};
  static const uint32_t smallest[] = {0, 0x80, 0x800, 0x10000};
  uint32_t scalar = byte & first_bits[rest], least = smallest[rest];
  for (; rest > 0; rest--) {
    if (read_byte(editor, &byte) != 1) return 0;
    if ((byte & 0xC0) != 0x80) {
      // It may be a key that matters, such as Enter after a letter of another encoding.
      editor->held = byte;
      *character = REPLACEMENT;
      return 1;
    }
    scalar = scalar << 6 | (byte & 0x3Fu);
  }
  bool is_scalar = scalar >= least && scalar <= 0x10FFFF && (scalar < 0xD800 || scalar >= 0xE000);
  *character = is_scalar ? (wchar_t)scalar : REPLACEMENT;
  return 1;
}

// MARK: Life

static FILE *stream_of(int fd, const char *mode) {
  int own = fcntl(fd, F_DUPFD_CLOEXEC, 3);
  if (own < 0) return NULL;
  FILE *stream = fdopen(own, mode);
  if (stream == NULL) close(own);
  return stream;
}

cterminal_editor *cterminal_editor_create(
    const char *name, int input, int output, int history, cterminal_interlude interlude, void *context) {
  locale_t locale = cterminal_unicode_locale();
  if (locale == (locale_t)0) return NULL;
  cterminal_editor *editor = calloc(1, sizeof *editor);
  if (editor == NULL) return NULL;
  editor->interlude = interlude;
  editor->context = context;
  editor->held = -1;
  editor->wake[0] = editor->wake[1] = -1;
  editor->input = stream_of(input, "r");
  editor->output = stream_of(output, "w");
  editor->messages = cterminal_history(history);
  editor->nothing = cterminal_history(1);
  locale_t before = uselocale(locale);
  if (editor->input != NULL && editor->output != NULL && editor->messages != NULL && editor->nothing != NULL &&
      pipe2(editor->wake, O_CLOEXEC | O_NONBLOCK) == 0) {
    editor->line = el_init(name, editor->input, editor->output, editor->output);
  }
  if (editor->line == NULL) {
    uselocale(before);
    cterminal_editor_destroy(editor);
    return NULL;
  }
  cterminal_lend(fileno(editor->input));
  el_wset(editor->line, EL_CLIENTDATA, editor);
  el_wset(editor->line, EL_GETCFN, read_character);
  el_wset(editor->line, EL_PROMPT, prompt_of);
  el_wset(editor->line, EL_SIGNAL, 0);
  el_wset(editor->line, EL_EDITOR, L"emacs");
  el_wset(editor->line, EL_BIND, L"^R", L"em-inc-search-prev", NULL);
  el_source(editor->line, NULL);
  cterminal_bind_keys(editor->line);
  uselocale(before);
  return editor;
}

void cterminal_editor_destroy(cterminal_editor *editor) {
  cterminal_lend(-1);
  if (editor->line != NULL) el_end(editor->line);
  if (editor->messages != NULL) history_wend(editor->messages);
  if (editor->nothing != NULL) history_wend(editor->nothing);
  if (editor->input != NULL) fclose(editor->input);
  if (editor->output != NULL) fclose(editor->output);
  for (int i = 0; i < 2; i++) {
    if (editor->wake[i] >= 0) close(editor->wake[i]);
  }
  cterminal_recall_end(&editor->recall);
  cterminal_draft_end(&editor->draft);
  free(editor->text);
  free(editor);
}

void cterminal_editor_remember(cterminal_editor *editor, const char *message) {
  locale_t before = uselocale(cterminal_unicode_locale());
  size_t length = mbstowcs(NULL, message, 0);
  wchar_t *wide = length == (size_t)-1 ? NULL : malloc((length + 1) * sizeof *wide);
  if (wide != NULL) {
    mbstowcs(wide, message, length + 1);
    HistEventW event;
    history_w(editor->messages, &event, H_ENTER, wide);
    free(wide);
  }
  uselocale(before);
}

// The line in UTF-8; false without memory.
static bool encode(cterminal_editor *editor, const wchar_t *line, size_t count, size_t *length) {
  if (editor->capacity < count * 4 + 1) {
    char *larger = realloc(editor->text, count * 4 + 1);
    if (larger == NULL) return false;
    editor->text = larger;
    editor->capacity = count * 4 + 1;
  }
  char *next = editor->text;
  for (size_t i = 0; i < count; i++) {
    mbstate_t state = {0};
    size_t written = wcrtomb(next, line[i], &state);
    if (written != (size_t)-1) next += written;
  }
  *next = 0;
  *length = (size_t)(next - editor->text);
  return true;
}

cterminal_outcome cterminal_editor_read(
    cterminal_editor *editor, const char *prompt, bool is_message, const char **text, size_t *length) {
  locale_t before = uselocale(cterminal_unicode_locale());
  if (mbstowcs(editor->prompt, prompt, PROMPT_LIMIT) == (size_t)-1) editor->prompt[0] = 0;
  editor->prompt[PROMPT_LIMIT - 1] = 0;
  editor->outcome = CTERMINAL_LINE;
  editor->shown = 0;
  // What was typed before it was asked is no answer to a question.
  if (!is_message) {
    if (editor->is_message) cterminal_ahead_take(&editor->ahead, fileno(editor->input));
    else cterminal_forget_input(fileno(editor->input));
  }
  editor->is_message = editor->is_draft_due = is_message;
  HistoryW *history = is_message ? editor->messages : editor->nothing;
  el_wset(editor->line, EL_HIST, history_w, history);
  cterminal_recall_begin(&editor->recall, history);
  // The size may have changed while no line was read.
  el_resize(editor->line);
  int count = 0;
  const wchar_t *line = el_wgets(editor->line, &count);
  cterminal_outcome outcome = editor->outcome;
  if (outcome == CTERMINAL_LINE) {
    if (line == NULL || count <= 0) {
      // libedit looks at the terminal before each byte, and ends the line where it was taken away.
      cterminal_wait_if_ending();
      outcome = CTERMINAL_END;
      fputs("\r\n", editor->output);
      fflush(editor->output);
    } else {
      if (line[count - 1] == L'\n') count--;
      if (!encode(editor, line, (size_t)count, length)) outcome = CTERMINAL_END;
      *text = editor->text;
    }
  }
  uselocale(before);
  return outcome;
}

void cterminal_editor_wake(cterminal_editor *editor, cterminal_wake reason) {
  unsigned char byte = (unsigned char)reason;
  // A full pipe has more than enough reasons to wake up.
  (void)!write(editor->wake[1], &byte, 1);
}

void cterminal_editor_forget_wakes(cterminal_editor *editor) {
  unsigned char bytes[64];
  while (read(editor->wake[0], bytes, sizeof bytes) > 0) {}
}
