#include "CLinux.h"

#include <errno.h>
#include <sys/random.h>

bool clinux_random(void *bytes, size_t count) {
  if (count > 256) return false;
  ssize_t given;
  do given = getrandom(bytes, count, 0);
  while (given < 0 && errno == EINTR);
  return given == (ssize_t)count;
}
