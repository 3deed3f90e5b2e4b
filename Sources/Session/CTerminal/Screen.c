#define _GNU_SOURCE
#include "Screen.h"

#include "CTerminal.h"

static void advance(wchar_t character, int columns, int *row, int *column) {
  if (character == L'\n') {
    ++*row;
    *column = 0;
    return;
  }
  int width = character == L'\t' ? 8 - *column % 8 : wcwidth(character);
  if (width < 0) width = 2;  // ^X
  if (*column + width > columns) {
    ++*row;
    *column = 0;
  }
  *column += width;
  if (*column >= columns) {
    ++*row;
    *column = 0;
  }
}

// The row of a place in the line, counted from the prompt's first.
static int row_of(const LineInfoW *line, const wchar_t *prompt, FILE *output, const wchar_t *place) {
  int columns = 80, rows = 24, row = 0, column = 0;
  cterminal_size(fileno(output), &columns, &rows);
  for (const wchar_t *next = prompt; *next != 0; next++) advance(*next, columns, &row, &column);
  for (const wchar_t *next = line->buffer; next < place; next++) advance(*next, columns, &row, &column);
  // libedit shows no more than the screen holds.
  return row < rows ? row : rows - 1;
}

void cterminal_screen_erase(EditLine *editor, const wchar_t *prompt, FILE *output) {
  const LineInfoW *line = el_wline(editor);
  int row = row_of(line, prompt, output, line->cursor);
  if (row > 0) fprintf(output, "\r\033[%dA\033[J", row);
  else fputs("\r\033[J", output);
  fflush(output);
}

void cterminal_screen_leave(EditLine *editor, const wchar_t *prompt, FILE *output) {
  const LineInfoW *line = el_wline(editor);
  int last = row_of(line, prompt, output, line->lastchar);
  for (int row = row_of(line, prompt, output, line->cursor); row < last; row++) {
    fputs("\033[B", output);
  }
  fputs("\r\n", output);
  fflush(output);
}
