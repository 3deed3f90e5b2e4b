#ifndef CTERMINAL_DRAFT_H
#define CTERMINAL_DRAFT_H

#include <histedit.h>
#include <stdbool.h>
#include <stddef.h>

// What was typed of a message when its prompt gave way to another question.
typedef struct cterminal_draft {
  // NULL for none.
  wchar_t *text;
  // Characters behind the cursor.
  size_t behind;
} cterminal_draft;

// Keeps the line in the place of what was kept before.
void cterminal_draft_keep(cterminal_draft *draft, EditLine *line);
// Makes the line what was kept, once; false where there is nothing.
bool cterminal_draft_restore(cterminal_draft *draft, EditLine *line);
void cterminal_draft_end(cterminal_draft *draft);

#endif
