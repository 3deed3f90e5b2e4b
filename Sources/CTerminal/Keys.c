#include "Keys.h"

#include <stdbool.h>
#include <stdlib.h>
#include <wchar.h>

#include "CTerminal.h"

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

void cterminal_bind_keys(EditLine *line) {
  el_wset(line, EL_ADDFN, L"agent-paste", L"Inserts what is pasted", paste);
  el_wset(line, EL_ADDFN, L"agent-line-feed", L"Begins a new line in the message", line_feed);
  el_wset(line, EL_BIND, L"\\e[200~", L"agent-paste", NULL);
  el_wset(line, EL_BIND, L"\\e\\r", L"agent-line-feed", NULL);
  el_wset(line, EL_BIND, L"\\e\\n", L"agent-line-feed", NULL);
}
