#ifndef CTERMINAL_LOCALE_H
#define CTERMINAL_LOCALE_H

#include <locale.h>

// A locale whose characters are those of Unicode, for uselocale: the process's own locale stays as it is. 0 if there is
// none.
locale_t cterminal_unicode_locale(void);

#endif
