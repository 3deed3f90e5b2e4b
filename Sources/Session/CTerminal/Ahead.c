#include "Ahead.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "CTerminal.h"

void cterminal_ahead_take(cterminal_ahead *ahead, int input) {
  ahead->count -= ahead->next;
  memmove(ahead->bytes, ahead->bytes + ahead->next, ahead->count);
  ahead->next = 0;
  while (ahead->count < sizeof ahead->bytes) {
    struct pollfd wait = {.fd = input, .events = POLLIN};
    if (poll(&wait, 1, 0) < 1) break;
    ssize_t length = read(input, ahead->bytes + ahead->count, sizeof ahead->bytes - ahead->count);
    if (length < 0 && errno == EINTR) continue;
    if (length <= 0) return;
    ahead->count += (size_t)length;
  }
  if (ahead->count == sizeof ahead->bytes) cterminal_forget_input(input);
}

bool cterminal_ahead_next(cterminal_ahead *ahead, unsigned char *byte) {
  if (ahead->next == ahead->count) return false;
  *byte = ahead->bytes[ahead->next++];
  return true;
}
