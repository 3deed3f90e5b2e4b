#ifndef CTERMINAL_LENT_H
#define CTERMINAL_LENT_H

// Tells the descriptor on which the editor reads and sets the terminal's modes; -1 when it has gone.
void cterminal_lend(int descriptor);

#endif
