#ifndef CTERMINAL_AHEAD_H
#define CTERMINAL_AHEAD_H

#include <stdbool.h>
#include <stddef.h>

// What was typed at a message's prompt and not read before the prompt gave way to another question: it is no answer to that,
// and the next message's.
typedef struct cterminal_ahead {
  unsigned char bytes[4096];
  size_t next, count;
} cterminal_ahead;

// Takes what is typed at the terminal; what there is no room for is left out.
void cterminal_ahead_take(cterminal_ahead *ahead, int input);
// The next byte; false where there is none.
bool cterminal_ahead_next(cterminal_ahead *ahead, unsigned char *byte);

#endif
