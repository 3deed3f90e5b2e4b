#include "Draft.h"

#include <stdlib.h>
#include <wchar.h>

void cterminal_draft_keep(cterminal_draft *draft, EditLine *line) {
  cterminal_draft_end(draft);
  const LineInfoW *typed = el_wline(line);
  size_t length = (size_t)(typed->lastchar - typed->buffer);
  if (length == 0) return;
  draft->text = malloc((length + 1) * sizeof *draft->text);
  if (draft->text == NULL) return;
  wmemcpy(draft->text, typed->buffer, length);
  draft->text[length] = 0;
  draft->behind = (size_t)(typed->lastchar - typed->cursor);
}

bool cterminal_draft_restore(cterminal_draft *draft, EditLine *line) {
  if (draft->text == NULL) return false;
  bool has_restored = el_winsertstr(line, draft->text) == 0;
  if (has_restored) el_cursor(line, -(int)draft->behind);
  cterminal_draft_end(draft);
  return has_restored;
}

void cterminal_draft_end(cterminal_draft *draft) {
  free(draft->text);
  draft->text = NULL;
  draft->behind = 0;
}
