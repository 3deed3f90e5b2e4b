#define _GNU_SOURCE
#include "Addresses.h"

#include <errno.h>
#include <ifaddrs.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <string.h>
#include <unistd.h>

int clinux_network_open(void) {
  int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
  if (fd < 0) return -errno;
  struct sockaddr_nl local = {
      .nl_family = AF_NETLINK,
      .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE,
  };
  if (bind(fd, (struct sockaddr *)&local, sizeof local) < 0) {
    int error = errno;
    close(fd);
    return -error;
  }
  return fd;
}

bool clinux_network_drain(int fd) {
  char buffer[8192];
  bool changed = false;
  for (;;) {
    // What the notices say is asked of the kernel afterwards, so a cut one does no harm.
    ssize_t length = recv(fd, buffer, sizeof buffer, 0);
    if (length > 0) {
      changed = true;
    } else if (length < 0 && errno == ENOBUFS) {
      changed = true;  // Some notices were lost.
    } else if (length == 0 || errno != EINTR) {
      return changed;
    }
  }
}

bool clinux_network_has_address(const clinux_address *address) {
  struct ifaddrs *list = NULL;
  if (getifaddrs(&list) < 0) return false;
  bool found = false;
  for (struct ifaddrs *entry = list; entry != NULL && !found; entry = entry->ifa_next) {
    // An interface that was taken down keeps its IPv4 addresses.
    if (entry->ifa_addr == NULL || (entry->ifa_flags & (IFF_UP | IFF_RUNNING)) != (IFF_UP | IFF_RUNNING)) continue;
    struct sockaddr_storage storage = {0};
    switch (entry->ifa_addr->sa_family) {
      case AF_INET: memcpy(&storage, entry->ifa_addr, sizeof(struct sockaddr_in)); break;
      case AF_INET6: memcpy(&storage, entry->ifa_addr, sizeof(struct sockaddr_in6)); break;
      default: continue;
    }
    clinux_address own = clinux_from_sockaddr(&storage);
    found = own.family == address->family && own.high == address->high && own.low == address->low;
  }
  freeifaddrs(list);
  return found;
}
