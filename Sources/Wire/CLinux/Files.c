#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// linux/openat2.h, which headers older than the kernel lack.
struct open_how_v0 {
  uint64_t flags;
  uint64_t mode;
  uint64_t resolve;
};
enum { RESOLVE_CACHED_V0 = 0x20 };

static int open_cached(const char *path, uint64_t flags, clinux_file *file) {
#ifdef SYS_openat2
  struct open_how_v0 how = {.flags = flags | O_CLOEXEC, .resolve = RESOLVE_CACHED_V0};
  int fd = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
  if (fd < 0) return -errno;
  struct stat status;
  if (fstat(fd, &status) != 0) {
    int error = errno;
    close(fd);
    return -error;
  }
  file->size = status.st_size;
  file->modified = status.st_mtim.tv_sec;
  file->is_folder = S_ISDIR(status.st_mode);
  file->is_regular = S_ISREG(status.st_mode);
  return fd;
#else
  (void)path, (void)flags, (void)file;
  return -ENOSYS;
#endif
}

int clinux_file_look(const char *path, clinux_file *file) {
  int fd = open_cached(path, O_PATH, file);
  if (fd < 0) return fd;
  close(fd);
  return 0;
}

int clinux_file_open(const char *path, clinux_file *file) {
  // A FIFO without a writer, or a terminal, must not be waited for or taken.
  return open_cached(path, O_RDONLY | O_NONBLOCK | O_NOCTTY, file);
}

ssize_t clinux_file_read(int fd, void *bytes, size_t count, int64_t offset) {
  struct iovec part = {.iov_base = bytes, .iov_len = count};
  ssize_t given = preadv2(fd, &part, 1, (off_t)offset, RWF_NOWAIT);
  return given < 0 ? -errno : given;
}
