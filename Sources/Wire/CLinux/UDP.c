#define _GNU_SOURCE
#include "Addresses.h"

#include <errno.h>
#include <linux/filter.h>
#include <netinet/udp.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif
#ifndef UDP_GRO
#define UDP_GRO 104
#endif

enum { CONTROL_SIZE = 160, SEND_SLOTS = 64, RECEIVE_BUFFER = 2 << 20 };

static int set(int fd, int level, int name, int value) {
  return setsockopt(fd, level, name, &value, sizeof value);
}

static int configure(int fd, bool is_v6, bool takes_v4, bool wants_local_address) {
  // Without "do not fragment" path-MTU discovery would measure nothing (RFC 9000 § 14).
  if (is_v6 && set(fd, IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_DO) < 0) return -errno;
  if ((!is_v6 || takes_v4) && set(fd, IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_DO) < 0) return -errno;
  // The rest is worth having and not needed: several datagrams in one piece (Linux 5.0), ECN marks, and a receive buffer
  // (the kernel may grant less; who opened the socket may have been granted more, and the kernel tells twice of it).
  set(fd, SOL_UDP, UDP_GRO, 1);
  if (is_v6) set(fd, IPPROTO_IPV6, IPV6_RECVTCLASS, 1);
  if (!is_v6 || takes_v4) set(fd, IPPROTO_IP, IP_RECVTOS, 1);
  int room = 0;
  socklen_t size = sizeof room;
  getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, &size);
  if (room / 2 < RECEIVE_BUFFER) set(fd, SOL_SOCKET, SO_RCVBUF, RECEIVE_BUFFER);
  if (wants_local_address) {
    if (is_v6 && set(fd, IPPROTO_IPV6, IPV6_RECVPKTINFO, 1) < 0) return -errno;
    if (!is_v6 && set(fd, IPPROTO_IP, IP_PKTINFO, 1) < 0) return -errno;
  }
  return 0;
}

static int configure_and_bind(int fd, const clinux_address *local, bool wants_local_address, bool joins) {
  bool is_v6 = local->family == 6;
  bool takes_v4 = is_v6 && local->high == 0 && local->low == 0;
  if (is_v6 && set(fd, IPPROTO_IPV6, IPV6_V6ONLY, !takes_v4) < 0) return -errno;
  int result = configure(fd, is_v6, takes_v4, wants_local_address);
  if (result < 0) return result;
  if (joins && set(fd, SOL_SOCKET, SO_REUSEPORT, 1) < 0) return -errno;
  struct sockaddr_storage storage;
  socklen_t length = clinux_to_sockaddr(local, local->family, &storage);
  return bind(fd, (struct sockaddr *)&storage, length) < 0 ? -errno : 0;
}

int clinux_udp_open(const clinux_address *local, bool wants_local_address, bool joins) {
  int domain = local->family == 6 ? AF_INET6 : AF_INET;
  int fd = socket(domain, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_UDP);
  if (fd < 0) return -errno;
  int result = configure_and_bind(fd, local, wants_local_address, joins);
  if (result < 0) {
    close(fd);
    return result;
  }
  return fd;
}

int clinux_udp_adopt(int fd) {
  int domain = 0, v6_only = 0;
  socklen_t size = sizeof domain;
  if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) < 0) return -errno;
  bool is_v6 = domain == AF_INET6;
  size = sizeof v6_only;
  if (is_v6 && getsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &v6_only, &size) < 0) return -errno;
  int result = configure(fd, is_v6, is_v6 && !v6_only, true);
  return result < 0 ? result : is_v6 ? 6 : 4;
}

int clinux_udp_share(int fd) {
  return set(fd, SOL_SOCKET, SO_REUSEPORT, 1) < 0 ? -errno : 0;
}

int clinux_udp_steer(int fd, const clinux_steering *steering) {
  if (steering->count == 0) return -EINVAL;
  // The kernel shows it the datagram from QUIC's first byte on. A load behind the end ends the program with 0; an index that
  // no socket has leaves the choice to a hash of the addresses.
  struct sock_filter instructions[] = {
      BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 0),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x80, 0, 2),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, steering->long_offset),
      BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, steering->short_offset),
      BPF_STMT(BPF_ALU | BPF_MUL | BPF_K, steering->multiplier),
      BPF_STMT(BPF_ALU | BPF_RSH | BPF_K, 16),
      BPF_STMT(BPF_ALU | BPF_MOD | BPF_K, steering->count),
      BPF_STMT(BPF_RET | BPF_A, 0),
  };
  struct sock_fprog program = {.len = sizeof instructions / sizeof *instructions, .filter = instructions};
  return setsockopt(fd, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, &program, sizeof program) < 0 ? -errno : 0;
}

int clinux_udp_connect(int fd, const clinux_address *remote) {
  struct sockaddr_storage storage;
  socklen_t length = clinux_to_sockaddr(remote, remote->family, &storage);
  return connect(fd, (struct sockaddr *)&storage, length) < 0 ? -errno : 0;
}

int clinux_udp_local_address(int fd, clinux_address *local) {
  struct sockaddr_storage storage = {0};
  socklen_t length = sizeof storage;
  if (getsockname(fd, (struct sockaddr *)&storage, &length) < 0) return -errno;
  *local = clinux_from_sockaddr(&storage);
  return 0;
}

static void read_control(struct msghdr *message, clinux_datagram *datagram) {
  for (struct cmsghdr *item = CMSG_FIRSTHDR(message); item != NULL; item = CMSG_NXTHDR(message, item)) {
    if (item->cmsg_level == IPPROTO_IP && item->cmsg_type == IP_TOS) {
      datagram->ecn = *(uint8_t *)CMSG_DATA(item) & 3;
    } else if (item->cmsg_level == IPPROTO_IPV6 && item->cmsg_type == IPV6_TCLASS) {
      int class;
      memcpy(&class, CMSG_DATA(item), sizeof class);
      datagram->ecn = (uint8_t)class & 3;
    } else if (item->cmsg_level == IPPROTO_IP && item->cmsg_type == IP_PKTINFO) {
      struct in_pktinfo info;
      memcpy(&info, CMSG_DATA(item), sizeof info);
      datagram->local.family = 4;
      // What came before IP_PKTINFO was set has the address of its header alone.
      datagram->local.low = ntohl(info.ipi_spec_dst.s_addr != 0 ? info.ipi_spec_dst.s_addr : info.ipi_addr.s_addr);
    } else if (item->cmsg_level == IPPROTO_IPV6 && item->cmsg_type == IPV6_PKTINFO) {
      struct in6_pktinfo info;
      memcpy(&info, CMSG_DATA(item), sizeof info);
      datagram->local = clinux_from_in6(&info.ipi6_addr, 0, info.ipi6_ifindex);
    } else if (item->cmsg_level == SOL_UDP && item->cmsg_type == UDP_GRO) {
      int size;
      memcpy(&size, CMSG_DATA(item), sizeof size);
      datagram->segment_size = size > 0 ? (uint32_t)size : 0;
    }
  }
}

int clinux_udp_receive(
    int fd, void *buffer, size_t size, size_t slot_size, unsigned slots, clinux_datagram *datagrams) {
  struct mmsghdr messages[CLINUX_RECEIVE_SLOTS];
  struct iovec vectors[CLINUX_RECEIVE_SLOTS];
  struct sockaddr_storage names[CLINUX_RECEIVE_SLOTS];
  _Alignas(struct cmsghdr) uint8_t controls[CLINUX_RECEIVE_SLOTS][CONTROL_SIZE];
  unsigned offered = 0;
  while (offered < slots && offered < CLINUX_RECEIVE_SLOTS && (offered + 1) * slot_size <= size) {
    vectors[offered] = (struct iovec){(uint8_t *)buffer + offered * slot_size, slot_size};
    messages[offered].msg_hdr = (struct msghdr){
        .msg_name = &names[offered], .msg_namelen = sizeof names[offered],
        .msg_iov = &vectors[offered], .msg_iovlen = 1,
        .msg_control = controls[offered], .msg_controllen = CONTROL_SIZE};
    offered++;
  }
  int count;
  do {
    count = recvmmsg(fd, messages, offered, MSG_DONTWAIT, NULL);
  } while (count < 0 && errno == EINTR);
  if (count < 0) return -errno;
  for (int i = 0; i < count; i++) {
    memset(&datagrams[i], 0, sizeof datagrams[i]);
    datagrams[i].remote = clinux_from_sockaddr(&names[i]);
    datagrams[i].offset = (uint32_t)(i * slot_size);
    datagrams[i].length = messages[i].msg_len;
    datagrams[i].truncated = (messages[i].msg_hdr.msg_flags & MSG_TRUNC) != 0;
    read_control(&messages[i].msg_hdr, &datagrams[i]);
  }
  return count;
}

static struct cmsghdr *append(
    struct msghdr *message, struct cmsghdr *item, int level, int type, const void *data, size_t length) {
  item->cmsg_level = level;
  item->cmsg_type = type;
  item->cmsg_len = CMSG_LEN(length);
  memcpy(CMSG_DATA(item), data, length);
  message->msg_controllen += CMSG_SPACE(length);
  return (struct cmsghdr *)((uint8_t *)item + CMSG_SPACE(length));
}

// Source address and ECN mark, shared by all datagrams of one call.
static void write_control(
    struct msghdr *message, uint8_t *control, uint8_t socket_family, bool sends_v4,
    const clinux_address *local, uint8_t ecn) {
  struct cmsghdr *item = (struct cmsghdr *)control;
  message->msg_controllen = 0;
  bool has_local = local != NULL && local->family != 0 && (local->high != 0 || local->low != 0);
  if (has_local && socket_family == 4) {
    struct in_pktinfo info = {.ipi_spec_dst.s_addr = htonl((uint32_t)local->low)};
    item = append(message, item, IPPROTO_IP, IP_PKTINFO, &info, sizeof info);
  } else if (has_local) {
    struct in6_pktinfo info = {.ipi6_addr = clinux_to_in6(local), .ipi6_ifindex = local->scope};
    item = append(message, item, IPPROTO_IPV6, IPV6_PKTINFO, &info, sizeof info);
  }
  if (ecn != 0) {
    int value = ecn & 3;
    if (sends_v4) {
      append(message, item, IPPROTO_IP, IP_TOS, &value, sizeof value);
    } else {
      append(message, item, IPPROTO_IPV6, IPV6_TCLASS, &value, sizeof value);
    }
  }
  message->msg_control = message->msg_controllen > 0 ? control : NULL;
}

int clinux_udp_send_segments(
    int fd, uint8_t socket_family, const clinux_address *remote, const clinux_address *local, uint8_t ecn,
    const void *bytes, size_t length, size_t segment_size) {
  struct sockaddr_storage name;
  _Alignas(struct cmsghdr) uint8_t control[CONTROL_SIZE] = {0};
  struct iovec vector = {(void *)bytes, length};
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
  if (segment_size == 0 || segment_size > UINT16_MAX) return -EINVAL;
  bool sends_v4 = socket_family == 4 || (remote != NULL && remote->family == 4);
  if (remote != NULL) {
    message.msg_namelen = clinux_to_sockaddr(remote, socket_family, &name);
    message.msg_name = &name;
  }
  write_control(&message, control, socket_family, sends_v4, local, ecn);
  uint16_t size = (uint16_t)segment_size;
  append(&message, (struct cmsghdr *)(control + message.msg_controllen), SOL_UDP, UDP_SEGMENT, &size, sizeof size);
  message.msg_control = control;
  ssize_t count;
  do {
    count = sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  } while (count < 0 && errno == EINTR);
  return count < 0 ? -errno : 0;
}

int clinux_udp_send(
    int fd, uint8_t socket_family, const clinux_address *remote, const clinux_address *local, uint8_t ecn,
    const void *bytes, size_t length, size_t segment_size, uint32_t *sent) {
  struct mmsghdr messages[SEND_SLOTS];
  struct iovec vectors[SEND_SLOTS];
  struct sockaddr_storage name;
  _Alignas(struct cmsghdr) uint8_t control[CONTROL_SIZE] = {0};
  struct msghdr shape = {0};
  *sent = 0;
  if (segment_size == 0) return length == 0 ? 0 : -EINVAL;
  bool sends_v4 = socket_family == 4 || (remote != NULL && remote->family == 4);
  if (remote != NULL) {
    shape.msg_namelen = clinux_to_sockaddr(remote, socket_family, &name);
    shape.msg_name = &name;
  }
  write_control(&shape, control, socket_family, sends_v4, local, ecn);

  size_t offset = 0;
  while (offset < length) {
    unsigned slots = 0;
    for (size_t at = offset; at < length && slots < SEND_SLOTS; slots++) {
      size_t size = length - at < segment_size ? length - at : segment_size;
      vectors[slots] = (struct iovec){(uint8_t *)bytes + at, size};
      messages[slots].msg_hdr = shape;
      messages[slots].msg_hdr.msg_iov = &vectors[slots];
      messages[slots].msg_hdr.msg_iovlen = 1;
      at += size;
    }
    int count = sendmmsg(fd, messages, slots, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count < 0) {
      if (errno == EINTR) continue;
      return -errno;
    }
    *sent += (uint32_t)count;
    offset += (size_t)count * segment_size;
  }
  return 0;
}
