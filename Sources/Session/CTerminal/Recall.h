#ifndef CTERMINAL_RECALL_H
#define CTERMINAL_RECALL_H

#include <histedit.h>
#include <stdbool.h>

// Going through earlier messages with a draft to come back to. libedit's own keys for it take the draft away where it is
// the newest line already.
typedef struct cterminal_recall {
  HistoryW *messages;
  // How many messages back the line is; 0 for the draft.
  int place;
  wchar_t *draft;
} cterminal_recall;

// For a new line.
void cterminal_recall_begin(cterminal_recall *recall, HistoryW *messages);
// Shows the message that is so many older, fewer than 0 for newer; false where there is none.
bool cterminal_recall_step(cterminal_recall *recall, EditLine *line, int older);
void cterminal_recall_end(cterminal_recall *recall);

// The editor's.
cterminal_recall *cterminal_recall_of(EditLine *line);

// A history of so many different messages; NULL without memory.
HistoryW *cterminal_history(int count);

#endif
