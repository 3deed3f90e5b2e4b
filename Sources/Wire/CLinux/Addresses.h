#ifndef CLINUX_ADDRESSES_H
#define CLINUX_ADDRESSES_H

#include "CLinux.h"

#include <netinet/in.h>
#include <sys/socket.h>

// The kernel's form of `address` for a socket of `socket_family` (4 or 6); an IPv4 address becomes IPv4-mapped on an
// IPv6 socket. Answers the length.
socklen_t clinux_to_sockaddr(
    const clinux_address *address, uint8_t socket_family, struct sockaddr_storage *storage);

// Our form of a kernel address; an IPv4-mapped one becomes IPv4. Family 0 for anything but IP.
clinux_address clinux_from_sockaddr(const struct sockaddr_storage *storage);

struct in6_addr clinux_to_in6(const clinux_address *address);
clinux_address clinux_from_in6(const struct in6_addr *in6, uint16_t port, uint32_t scope);

#endif
