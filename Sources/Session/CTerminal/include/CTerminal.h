#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Cells that a terminal uses for a Unicode scalar: 0, 1 or 2; -1 for a control.
int cterminal_width(uint32_t scalar);

// The size of the terminal behind `fd` in cells; false where it is none or does not say.
bool cterminal_size(int fd, int *columns, int *rows);

// The terminal's modes. One terminal is claimed per process at a time.

// Remembers the modes of the terminal `input`, turns its echo and line mode off and bracketed paste on. From then on the
// modes are put back at exit() and by every signal that ends the process. Answers 0 or -errno.
int cterminal_claim(int input, int output);
// The same, but nothing is changed except that what is typed is not shown.
int cterminal_hide_input(int input);
// Ends the claim: the modes and the signals' meanings are what they were before.
void cterminal_release(void);
// Puts the modes back as they were found; cterminal_resume takes them again. Safe in a signal handler.
void cterminal_restore(void);
void cterminal_resume(void);
// Forgets what was typed at a terminal and not read yet.
void cterminal_forget_input(int input);

// Makes these signals bytes: each arrival writes its number to a pipe, whose reading end is answered, or -errno. One that
// is ignored stays so.
int cterminal_forward_signals(const int *numbers, size_t count);
// Stops the process, as SIGTSTP does by itself; returns when it is continued, which is not forwarded as SIGCONT, or at once
// where nobody could continue it.
void cterminal_stop(void);

// A line editor (libedit) with history and bracketed paste.

typedef struct cterminal_editor cterminal_editor;

// Why cterminal_editor_read has returned.
typedef enum cterminal_outcome {
  CTERMINAL_LINE,
  CTERMINAL_END,          // Ctrl-D on an empty line, or the terminal is gone
  CTERMINAL_INTERRUPTED,  // by CTERMINAL_WAKE_INTERRUPT, with nothing typed
  CTERMINAL_DROPPED,      // by the same, with something typed
  CTERMINAL_WITHDRAWN,    // by CTERMINAL_WAKE_WITHDRAW
} cterminal_outcome;

// What another thread wants of an editor that waits for a key.
typedef enum cterminal_wake {
  CTERMINAL_WAKE_INTERRUPT = 1,  // give the line up, and leave it on the screen
  CTERMINAL_WAKE_WITHDRAW,       // give the line up, and take prompt and line off the screen
  CTERMINAL_WAKE_INTERLUDE,      // call the interlude with prompt and line off the screen, then show them again
  CTERMINAL_WAKE_RESIZE,         // the terminal has a new size
  CTERMINAL_WAKE_RESUME,         // the process was stopped, and the terminal used by others meanwhile
} cterminal_wake;

typedef void (*cterminal_interlude)(void *context);

// Characters that one paste may have; what is beyond is left out.
enum { CTERMINAL_PASTE_LIMIT = 65536 };

// For the terminal behind the two descriptors, which stay the caller's; NULL where libedit does not know it. `name` is
// what .editrc calls the program; `history` is the number of messages that are kept.
cterminal_editor *cterminal_editor_create(
    const char *name, int input, int output, int history, cterminal_interlude interlude, void *context);
void cterminal_editor_destroy(cterminal_editor *editor);

// Adds a message to the history. Not while a line is read.
void cterminal_editor_remember(cterminal_editor *editor, const char *message);

// Reads a line, of UTF-8 and without its end, that is valid until the next call; with line feeds inside where they were
// pasted, or typed as Alt-Enter. `is_message`: the arrow keys go through the messages, and a line that is withdrawn is there
// again, cursor and all, when the next message is read; so is what was typed there and not read yet. Any other line begins with
// nothing typed.
cterminal_outcome cterminal_editor_read(
    cterminal_editor *editor, const char *prompt, bool is_message, const char **text, size_t *length);

// From any thread, while a line is read.
void cterminal_editor_wake(cterminal_editor *editor, cterminal_wake reason);
// Forgets what the editor was woken for and did not see any more. Not while a line is read.
void cterminal_editor_forget_wakes(cterminal_editor *editor);

// Parses GitHub-flavoured Markdown with tables, ~~strikethrough~~ and bare links; free it with cmark_node_free. NULL
// without memory.
cmark_node *cterminal_markdown_parse(const char *text, size_t length);

#endif
