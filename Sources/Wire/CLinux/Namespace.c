#define _GNU_SOURCE
#include "Addresses.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/if_tun.h>
#include <linux/rtnetlink.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int clinux_unshare_network(void) { return unshare(CLONE_NEWNET) < 0 ? -errno : 0; }

static void set_name(char *field, const char *name) {
  strncpy(field, name, IFNAMSIZ - 1);
  field[IFNAMSIZ - 1] = 0;
}

int clinux_tun_open(const char *name) {
  int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return -errno;
  struct ifreq request = {0};
  set_name(request.ifr_name, name);
  request.ifr_flags = IFF_TUN | IFF_NO_PI;
  if (ioctl(fd, TUNSETIFF, &request) < 0) {
    int error = errno;
    close(fd);
    return -error;
  }
  return fd;
}

// A netlink request in the making; the sizes below are far above what any of ours needs.
typedef struct request {
  struct nlmsghdr header;
  char body[512];
} request;

static void *begin(request *message, uint16_t type, uint16_t flags, size_t body) {
  memset(message, 0, sizeof *message);
  message->header.nlmsg_len = NLMSG_LENGTH(body);
  message->header.nlmsg_type = type;
  message->header.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | flags;
  return NLMSG_DATA(&message->header);
}

static struct rtattr *append(request *message, uint16_t type, const void *data, size_t length) {
  struct rtattr *item = (struct rtattr *)((char *)message + NLMSG_ALIGN(message->header.nlmsg_len));
  item->rta_type = type;
  item->rta_len = RTA_LENGTH(length);
  if (length > 0) memcpy(RTA_DATA(item), data, length);
  message->header.nlmsg_len = NLMSG_ALIGN(message->header.nlmsg_len) + RTA_ALIGN(item->rta_len);
  return item;
}

static int exchange(const request *message) {
  int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
  if (fd < 0) return -errno;
  struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
  struct {
    struct nlmsghdr header;
    struct nlmsgerr error;
    char rest[1024];
  } answer = {0};
  int result = 0;
  if (sendto(fd, message, message->header.nlmsg_len, 0, (struct sockaddr *)&kernel, sizeof kernel) < 0) {
    result = -errno;
  } else {
    ssize_t length;
    do {
      length = recv(fd, &answer, sizeof answer, 0);
    } while (length < 0 && errno == EINTR);
    if (length < 0) {
      result = -errno;
    } else if ((size_t)length < NLMSG_LENGTH(sizeof answer.error) || answer.header.nlmsg_type != NLMSG_ERROR) {
      result = -EPROTO;
    } else {
      result = answer.error.error;
    }
  }
  close(fd);
  return result;
}

static int index_of(const char *name) {
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -errno;
  struct ifreq request = {0};
  set_name(request.ifr_name, name);
  int result = ioctl(fd, SIOCGIFINDEX, &request) < 0 ? -errno : request.ifr_ifindex;
  close(fd);
  return result;
}

// The address in network order; answers its length.
static size_t raw(const clinux_address *address, uint8_t *bytes) {
  struct in6_addr in6 = clinux_to_in6(address);
  size_t length = address->family == 4 ? 4 : 16;
  memcpy(bytes, in6.s6_addr + 16 - length, length);
  return length;
}

int clinux_link_up(const char *name, uint32_t mtu, uint32_t queue_length) {
  int index = index_of(name);
  if (index < 0) return index;
  request message;
  struct ifinfomsg *body = begin(&message, RTM_NEWLINK, 0, sizeof *body);
  body->ifi_family = AF_UNSPEC;
  body->ifi_index = index;
  body->ifi_flags = IFF_UP;
  body->ifi_change = IFF_UP;
  if (mtu > 0) append(&message, IFLA_MTU, &mtu, sizeof mtu);
  if (queue_length > 0) append(&message, IFLA_TXQLEN, &queue_length, sizeof queue_length);
  return exchange(&message);
}

int clinux_link_add_address(const char *name, const clinux_address *address, uint8_t prefix_length) {
  int index = index_of(name);
  if (index < 0) return index;
  request message;
  struct ifaddrmsg *body = begin(&message, RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL, sizeof *body);
  body->ifa_family = address->family == 4 ? AF_INET : AF_INET6;
  body->ifa_prefixlen = prefix_length;
  body->ifa_index = (uint32_t)index;
  // Nobody else is on this link, and an address that is still being probed can't be bound to.
  if (address->family == 6) body->ifa_flags = IFA_F_NODAD;
  uint8_t bytes[16];
  size_t length = raw(address, bytes);
  append(&message, IFA_LOCAL, bytes, length);
  append(&message, IFA_ADDRESS, bytes, length);
  return exchange(&message);
}

int clinux_link_add_route(
    const char *name, const clinux_address *destination, uint8_t prefix_length, const char *congestion_control) {
  int index = index_of(name);
  if (index < 0) return index;
  request message;
  struct rtmsg *body = begin(&message, RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL, sizeof *body);
  body->rtm_family = destination->family == 4 ? AF_INET : AF_INET6;
  body->rtm_dst_len = prefix_length;
  body->rtm_table = RT_TABLE_MAIN;
  body->rtm_protocol = RTPROT_STATIC;
  body->rtm_scope = destination->family == 4 ? RT_SCOPE_LINK : RT_SCOPE_UNIVERSE;
  body->rtm_type = RTN_UNICAST;
  append(&message, RTA_OIF, &index, sizeof index);
  uint8_t bytes[16];
  size_t length = raw(destination, bytes);
  append(&message, RTA_DST, bytes, length);
  if (congestion_control != NULL) {
    char metric[64];
    struct rtattr *item = (struct rtattr *)metric;
    size_t size = strlen(congestion_control) + 1;
    if (RTA_LENGTH(size) > sizeof metric) return -EINVAL;
    item->rta_type = RTAX_CC_ALGO;
    item->rta_len = RTA_LENGTH(size);
    memcpy(RTA_DATA(item), congestion_control, size);
    append(&message, RTA_METRICS, metric, RTA_ALIGN(item->rta_len));
  }
  return exchange(&message);
}

static int write_text(const char *path, const char *text) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return errno;
  int error = write(fd, text, strlen(text)) < 0 ? errno : 0;
  close(fd);
  return error;
}

static int try_link(bool in_user_namespace, const char *user_map, const char *group_map, int *step) {
  *step = CLINUX_STEP_USER_NAMESPACE;
  if (in_user_namespace) {
    if (unshare(CLONE_NEWUSER) < 0) return errno;
    int error = write_text("/proc/self/setgroups", "deny");
    if (error == 0) error = write_text("/proc/self/uid_map", user_map);
    if (error == 0) error = write_text("/proc/self/gid_map", group_map);
    if (error != 0) return error;
  }
  *step = CLINUX_STEP_NETWORK_NAMESPACE;
  if (unshare(CLONE_NEWNET) < 0) return errno;
  *step = CLINUX_STEP_TUN;
  int fd = clinux_tun_open("probe");
  if (fd < 0) return -fd;
  close(fd);
  return 0;
}

int clinux_probe_link(bool in_user_namespace, const char *user_map, const char *group_map, int *step) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return -errno;
  pid_t child = fork();
  if (child < 0) {
    int error = errno;
    close(ends[0]);
    close(ends[1]);
    return -error;
  }
  int answer[2] = {EIO, CLINUX_STEP_USER_NAMESPACE};
  if (child == 0) {
    answer[0] = try_link(in_user_namespace, user_map, group_map, &answer[1]);
    _exit(write(ends[1], answer, sizeof answer) == (ssize_t)sizeof answer ? 0 : 1);
  }
  close(ends[1]);
  ssize_t length;
  do {
    length = read(ends[0], answer, sizeof answer);
  } while (length < 0 && errno == EINTR);
  close(ends[0]);
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
  *step = answer[1];
  return -answer[0];
}
