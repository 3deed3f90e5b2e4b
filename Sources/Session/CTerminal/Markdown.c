#include "CTerminal.h"

#include <cmark-gfm-extension_api.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

// While it reads inlines, cmark-gfm enters its extensions' special characters into a table of the process, and takes them
// out again (cmark_inlines_add_special_character): two parsers at once would lose each other's.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

cmark_node *cterminal_markdown_parse(const char *text, size_t length) {
  pthread_once(&once, cmark_gfm_core_extensions_ensure_registered);
  cmark_parser *parser = cmark_parser_new(CMARK_OPT_VALIDATE_UTF8 | CMARK_OPT_STRIKETHROUGH_DOUBLE_TILDE);
  if (parser == NULL) return NULL;
  static const char *const names[] = {"table", "strikethrough", "autolink"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    cmark_syntax_extension *extension = cmark_find_syntax_extension(names[i]);
    if (extension != NULL) cmark_parser_attach_syntax_extension(parser, extension);
  }
  pthread_mutex_lock(&mutex);
  cmark_parser_feed(parser, text, length);
  cmark_node *document = cmark_parser_finish(parser);
  pthread_mutex_unlock(&mutex);
  cmark_parser_free(parser);
  return document;
}
