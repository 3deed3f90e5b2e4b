#define _GNU_SOURCE
#include "Addresses.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#ifndef IPPROTO_MPTCP
#define IPPROTO_MPTCP 262
#endif

enum { NOTICE_PATIENCE = 2 };  // seconds

static int get(int fd, int name, int *value) {
  socklen_t size = sizeof *value;
  return getsockopt(fd, SOL_SOCKET, name, value, &size) < 0 ? -errno : 0;
}

int clinux_socket_look(int fd, clinux_socket *found) {
  int domain = 0, type = 0, protocol = 0;
  memset(found, 0, sizeof *found);
  int result = get(fd, SO_DOMAIN, &domain);
  if (result == 0) result = get(fd, SO_TYPE, &type);
  if (result == 0) result = get(fd, SO_PROTOCOL, &protocol);
  if (result < 0) return result;
  bool is_ip = domain == AF_INET || domain == AF_INET6;
  if (is_ip && type == SOCK_DGRAM && protocol == IPPROTO_UDP) found->kind = CLINUX_SOCKET_UDP;
  if (is_ip && type == SOCK_STREAM && (protocol == IPPROTO_TCP || protocol == IPPROTO_MPTCP)) {
    found->kind = CLINUX_SOCKET_TCP;
  }
  struct sockaddr_storage peer;
  socklen_t length = sizeof peer;
  found->is_connected = getpeername(fd, (struct sockaddr *)&peer, &length) == 0;
  return clinux_local_address(fd, &found->local);
}

int clinux_close_on_exec(int fd) {
  int flags = fcntl(fd, F_GETFD);
  if (flags < 0) return -errno;
  return fcntl(fd, F_SETFD, flags | FD_CLOEXEC) < 0 ? -errno : 0;
}

int clinux_notice_send(const char *address, const void *bytes, size_t count) {
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  size_t length = strlen(address);
  bool is_abstract = address[0] == '@';
  if (!is_abstract && address[0] != '/') return -EAFNOSUPPORT;
  // A path ends with a zero byte; an abstract name begins with one, and ends where the address does (unix(7)).
  if (length + (is_abstract ? 0 : 1) > sizeof name.sun_path || length < 2) return -EINVAL;
  memcpy(name.sun_path, address, length);
  if (is_abstract) name.sun_path[0] = 0;
  socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + (is_abstract ? 0 : 1));
  int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -errno;
  struct timeval patience = {.tv_sec = NOTICE_PATIENCE};
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  ssize_t sent;
  do {
    sent = sendto(fd, bytes, count, MSG_NOSIGNAL, (struct sockaddr *)&name, size);
  } while (sent < 0 && errno == EINTR);
  int result = sent < 0 ? -errno : 0;
  close(fd);
  return result;
}
