#include "Keys.h"

#include <stdbool.h>
#include <stdlib.h>
#include <wchar.h>

#include "CTerminal.h"
#include "Recall.h"

static bool is_shown(wchar_t character) {
  return character == L'\n' || character == L'\t' || (character >= 0x20 && character < 0x7F) || character >= 0xA0;
}

// What comes between ESC[200~ and ESC[201~ is text, whatever keys it looks like.
static unsigned char paste(EditLine *line, wint_t key) {
  (void)key;
  static const wchar_t end[] = L"\033[201~";
  size_t matched = 0, length = 0;
  wchar_t *text = malloc((CTERMINAL_PASTE_LIMIT + 1) * sizeof *text);
  if (text == NULL) return CC_ERROR;
  bool was_return = false;
  while (end[matched] != 0) {
    wchar_t character;
    if (el_wgetc(line, &character) != 1) {
      free(text);
      return CC_EOF;
    }
    if (character == end[matched]) {
      matched++;
      continue;
    }
    // What looked like the end was text: all of it but its escape is shown.
    for (size_t i = 1; i < matched && length < CTERMINAL_PASTE_LIMIT; i++) text[length++] = end[i];
    matched = character == end[0] ? 1 : 0;
    if (matched == 1) continue;
    bool is_second_half = was_return && character == L'\n';
    was_return = character == L'\r';
    if (was_return) character = L'\n';
    if (!is_second_half && is_shown(character) && length < CTERMINAL_PASTE_LIMIT) text[length++] = character;
  }
  while (length > 0 && text[length - 1] == L'\n') length--;
  text[length] = 0;
  int result = length == 0 ? 0 : el_winsertstr(line, text);
  free(text);
  return result < 0 ? CC_ERROR : CC_REFRESH;
}

static unsigned char line_feed(EditLine *line, wint_t key) {
  (void)key;
  return el_winsertstr(line, L"\n") < 0 ? CC_ERROR : CC_REFRESH;
}

static unsigned char older(EditLine *line, wint_t key) {
  (void)key;
  return cterminal_recall_step(cterminal_recall_of(line), line, 1) ? CC_REFRESH : CC_ERROR;
}

static unsigned char newer(EditLine *line, wint_t key) {
  (void)key;
  return cterminal_recall_step(cterminal_recall_of(line), line, -1) ? CC_REFRESH : CC_ERROR;
}

// What terminals send for keys that libedit's own table does not have; unbound, their last letters would be typed.
static const struct {
  const wchar_t *key, *action;
} keys[] = {
    {L"\\e[200~", L"agent-paste"},
    {L"\\e\\r", L"agent-line-feed"},            // Alt-Enter
    {L"\\e\\n", L"agent-line-feed"},
    {L"\\e[13;2u", L"agent-line-feed"},         // Shift-Enter, where terminals report it
    {L"\\e[27;2;13~", L"agent-line-feed"},
    {L"\\e[1;5D", L"ed-prev-word"},             // Ctrl-Left and Alt-Left
    {L"\\e[1;3D", L"ed-prev-word"},
    {L"\\e[1;5C", L"em-next-word"},             // Ctrl-Right and Alt-Right
    {L"\\e[1;3C", L"em-next-word"},
    {L"\\e[H", L"ed-move-to-beg"},              // Home
    {L"\\eOH", L"ed-move-to-beg"},
    {L"\\e[1~", L"ed-move-to-beg"},
    {L"\\e[7~", L"ed-move-to-beg"},
    {L"\\e[F", L"ed-move-to-end"},              // End
    {L"\\eOF", L"ed-move-to-end"},
    {L"\\e[4~", L"ed-move-to-end"},
    {L"\\e[8~", L"ed-move-to-end"},
    {L"\\e[3~", L"ed-delete-next-char"},        // Delete
    {L"\\e[3;5~", L"em-delete-next-word"},      // Ctrl-Delete
    {L"\\e[A", L"agent-older"},                 // Up, Page Up, Ctrl-P
    {L"\\eOA", L"agent-older"},
    {L"\\e[5~", L"agent-older"},
    {L"^P", L"agent-older"},
    {L"\\e[B", L"agent-newer"},                 // Down, Page Down, Ctrl-N
    {L"\\eOB", L"agent-newer"},
    {L"\\e[6~", L"agent-newer"},
    {L"^N", L"agent-newer"},
    {L"\\e[2~", L"ed-ignore"},                  // Insert
    {L"\\e[Z", L"ed-ignore"},                   // Shift-Tab
    {L"\\e[15~", L"ed-ignore"},                 // F5 to F12
    {L"\\e[17~", L"ed-ignore"},
    {L"\\e[18~", L"ed-ignore"},
    {L"\\e[19~", L"ed-ignore"},
    {L"\\e[20~", L"ed-ignore"},
    {L"\\e[21~", L"ed-ignore"},
    {L"\\e[23~", L"ed-ignore"},
    {L"\\e[24~", L"ed-ignore"},
};

void cterminal_bind_keys(EditLine *line) {
  el_wset(line, EL_ADDFN, L"agent-paste", L"Inserts what is pasted", paste);
  el_wset(line, EL_ADDFN, L"agent-line-feed", L"Begins a new line in the message", line_feed);
  el_wset(line, EL_ADDFN, L"agent-older", L"Shows the message before", older);
  el_wset(line, EL_ADDFN, L"agent-newer", L"Shows the message after, the draft at last", newer);
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) el_wset(line, EL_BIND, keys[i].key, keys[i].action, NULL);
}
