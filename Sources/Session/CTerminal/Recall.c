#include "Recall.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

void cterminal_recall_begin(cterminal_recall *recall, HistoryW *messages) {
  cterminal_recall_end(recall);
  recall->messages = messages;
}

void cterminal_recall_end(cterminal_recall *recall) {
  free(recall->draft);
  recall->draft = NULL;
  recall->place = 0;
}

static bool keep_draft(cterminal_recall *recall, const LineInfoW *line) {
  size_t length = (size_t)(line->lastchar - line->buffer);
  wchar_t *draft = malloc((length + 1) * sizeof *draft);
  if (draft == NULL) return false;
  memcpy(draft, line->buffer, length * sizeof *draft);
  draft[length] = 0;
  free(recall->draft);
  recall->draft = draft;
  return true;
}

// The message that is so many back, counted from 1; NULL beyond the oldest.
static const wchar_t *message(HistoryW *messages, int place) {
  HistEventW event;
  int found = history_w(messages, &event, H_FIRST);
  for (int i = 1; found >= 0 && i < place; i++) found = history_w(messages, &event, H_NEXT);
  return found < 0 ? NULL : event.str;
}

bool cterminal_recall_step(cterminal_recall *recall, EditLine *line, int older) {
  int place = recall->place + older;
  if (place < 0) return false;
  if (recall->place == 0 && !keep_draft(recall, el_wline(line))) return false;
  const wchar_t *text = place == 0 ? recall->draft : message(recall->messages, place);
  if (text == NULL) return false;
  const LineInfoW *shown = el_wline(line);
  int length = (int)(shown->lastchar - shown->buffer);
  el_cursor(line, (int)(shown->lastchar - shown->cursor));
  el_wdeletestr(line, length);
  if (*text != 0) el_winsertstr(line, text);
  recall->place = place;
  return true;
}

HistoryW *cterminal_history(int count) {
  HistoryW *history = history_winit();
  HistEventW event;
  if (history == NULL) return NULL;
  history_w(history, &event, H_SETSIZE, count);
  history_w(history, &event, H_SETUNIQUE, 1);
  return history;
}
