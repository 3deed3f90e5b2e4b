#ifndef CTERMINAL_LENT_H
#define CTERMINAL_LENT_H

// Lends the descriptor on which the editor reads and sets the terminal's modes; -1 when it has gone.
void cterminal_lend(int descriptor);
// Returns unless the process is about to end by a signal, which is then waited for.
void cterminal_wait_if_ending(void);

#endif
