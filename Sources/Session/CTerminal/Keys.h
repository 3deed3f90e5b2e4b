#ifndef CTERMINAL_KEYS_H
#define CTERMINAL_KEYS_H

#include <histedit.h>

// What a paste does, and the keys that begin a new line within a message.
void cterminal_bind_keys(EditLine *line);

#endif
