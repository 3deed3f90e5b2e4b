#define _GNU_SOURCE
#include "Addresses.h"

#include <errno.h>
#include <netdb.h>
#include <string.h>

static uint64_t load(const uint8_t *bytes) {
  uint64_t value = 0;
  for (int i = 0; i < 8; i++) value = value << 8 | bytes[i];
  return value;
}

static void store(uint64_t value, uint8_t *bytes) {
  for (int i = 7; i >= 0; i--, value >>= 8) bytes[i] = (uint8_t)value;
}

struct in6_addr clinux_to_in6(const clinux_address *address) {
  struct in6_addr in6;
  uint64_t mapped = 0xffff00000000u | (address->low & 0xffffffffu);
  store(address->family == 4 ? 0 : address->high, in6.s6_addr);
  store(address->family == 4 ? mapped : address->low, in6.s6_addr + 8);
  return in6;
}

clinux_address clinux_from_in6(const struct in6_addr *in6, uint16_t port, uint32_t scope) {
  clinux_address address = {.port = port, .family = 6};
  address.high = load(in6->s6_addr);
  address.low = load(in6->s6_addr + 8);
  if (IN6_IS_ADDR_V4MAPPED(in6)) {
    address.family = 4;
    address.low &= 0xffffffffu;
  } else if (IN6_IS_ADDR_LINKLOCAL(in6)) {
    address.scope = scope;
  }
  return address;
}

socklen_t clinux_to_sockaddr(
    const clinux_address *address, uint8_t socket_family, struct sockaddr_storage *storage) {
  memset(storage, 0, sizeof *storage);
  if (socket_family == 4) {
    struct sockaddr_in *in = (struct sockaddr_in *)storage;
    in->sin_family = AF_INET;
    in->sin_port = htons(address->port);
    in->sin_addr.s_addr = htonl((uint32_t)address->low);
    return sizeof *in;
  }
  struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)storage;
  in6->sin6_family = AF_INET6;
  in6->sin6_port = htons(address->port);
  in6->sin6_addr = clinux_to_in6(address);
  in6->sin6_scope_id = address->scope;
  return sizeof *in6;
}

clinux_address clinux_from_sockaddr(const struct sockaddr_storage *storage) {
  clinux_address address = {0};
  if (storage->ss_family == AF_INET) {
    const struct sockaddr_in *in = (const struct sockaddr_in *)storage;
    address.family = 4;
    address.port = ntohs(in->sin_port);
    address.low = ntohl(in->sin_addr.s_addr);
  } else if (storage->ss_family == AF_INET6) {
    const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)storage;
    address = clinux_from_in6(&in6->sin6_addr, ntohs(in6->sin6_port), in6->sin6_scope_id);
  }
  return address;
}

bool clinux_read_address(const void *system, size_t length, clinux_address *address) {
  struct sockaddr_storage storage = {0};
  if (length > sizeof storage) return false;
  memcpy(&storage, system, length);
  *address = clinux_from_sockaddr(&storage);
  return address->family != 0;
}

int clinux_bind(int fd, const clinux_address *address) {
  struct sockaddr_storage storage;
  socklen_t length = clinux_to_sockaddr(address, address->family, &storage);
  return bind(fd, (const struct sockaddr *)&storage, length) == 0 ? 0 : -errno;
}

int clinux_connect(int fd, const clinux_address *address) {
  struct sockaddr_storage storage;
  socklen_t length = clinux_to_sockaddr(address, address->family, &storage);
  return connect(fd, (const struct sockaddr *)&storage, length) == 0 ? 0 : -errno;
}

int clinux_local_address(int fd, clinux_address *address) {
  struct sockaddr_storage storage = {0};
  socklen_t length = sizeof storage;
  if (getsockname(fd, (struct sockaddr *)&storage, &length) != 0) return -errno;
  *address = clinux_from_sockaddr(&storage);
  return 0;
}

int clinux_peer_address(int fd, clinux_address *address) {
  struct sockaddr_storage storage = {0};
  socklen_t length = sizeof storage;
  if (getpeername(fd, (struct sockaddr *)&storage, &length) != 0) return -errno;
  *address = clinux_from_sockaddr(&storage);
  return 0;
}

bool clinux_read_literal(const char *text, uint16_t port, clinux_address *address) {
  struct addrinfo hints = {.ai_socktype = SOCK_DGRAM, .ai_flags = AI_NUMERICHOST};
  struct addrinfo *list = NULL;
  if (getaddrinfo(text, NULL, &hints, &list) != 0) return false;
  bool is_read = clinux_read_address(list->ai_addr, list->ai_addrlen, address);
  address->port = port;
  freeaddrinfo(list);
  return is_read;
}
