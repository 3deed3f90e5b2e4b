#ifndef CTERMINAL_SCREEN_H
#define CTERMINAL_SCREEN_H

#include <histedit.h>
#include <stdio.h>
#include <wchar.h>

// Takes prompt and line off the screen; the cursor is where the prompt began.
void cterminal_screen_erase(EditLine *editor, const wchar_t *prompt, FILE *output);

// Leaves the line where it is; the cursor is on a line of its own below it.
void cterminal_screen_leave(EditLine *editor, const wchar_t *prompt, FILE *output);

#endif
