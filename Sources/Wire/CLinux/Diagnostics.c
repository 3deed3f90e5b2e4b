#define _GNU_SOURCE
#include "Addresses.h"

#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { ESTABLISHED = 1 };  // enum tcp_states of the kernel

int clinux_diagnostics_open(void) {
  int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
  if (fd < 0) return -errno;
  // The kernel answers within the call that asks; an answer that was lost must not hold up the caller for ever.
  struct timeval limit = {.tv_sec = 1};
  struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
  if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) < 0 ||
      connect(fd, (struct sockaddr *)&kernel, sizeof kernel) < 0) {
    int error = errno;
    close(fd);
    return -error;
  }
  return fd;
}

typedef struct question {
  struct nlmsghdr header;
  struct inet_diag_req_v2 body;
} question;

// The address in network order; answers the kernel's number of its family.
static uint8_t put(const clinux_address *address, uint32_t *field) {
  struct in6_addr in6 = clinux_to_in6(address);
  if (address->family == 6) {
    memcpy(field, in6.s6_addr, 16);
    return AF_INET6;
  }
  memcpy(field, in6.s6_addr + 12, 4);
  return AF_INET;
}

static int ask(int fd, const clinux_address *local, const clinux_address *remote, uint32_t sequence) {
  question message = {
    .header = {
      .nlmsg_len = sizeof message,
      .nlmsg_type = SOCK_DIAG_BY_FAMILY,
      .nlmsg_flags = NLM_F_REQUEST,
      .nlmsg_seq = sequence,
    },
    .body = {
      .sdiag_protocol = IPPROTO_TCP,
      .idiag_ext = 1 << (INET_DIAG_INFO - 1),
      .id = {
        .idiag_sport = htons(local->port),
        .idiag_dport = htons(remote->port),
        .idiag_cookie = {INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE},
      },
    },
  };
  message.body.sdiag_family = put(local, message.body.id.idiag_src);
  if (put(remote, message.body.id.idiag_dst) != message.body.sdiag_family) return -EINVAL;
  return send(fd, &message, sizeof message, 0) < 0 ? -errno : 0;
}

static ssize_t answer(int fd, void *buffer, size_t size) {
  ssize_t length;
  do {
    length = recv(fd, buffer, size, 0);
  } while (length < 0 && errno == EINTR);
  return length < 0 ? -errno : length;
}

static void copy_info(const struct rtattr *item, clinux_tcp_state *state) {
  struct tcp_info info = {0};  // An older kernel's is shorter.
  size_t length = RTA_PAYLOAD(item);
  memcpy(&info, RTA_DATA(item), length < sizeof info ? length : sizeof info);
  state->congestion_state = info.tcpi_ca_state;
  state->segment_bytes = info.tcpi_snd_mss;
  state->window = info.tcpi_snd_cwnd;
  state->threshold = info.tcpi_snd_ssthresh;
  state->unacknowledged = info.tcpi_unacked;
  state->sacked = info.tcpi_sacked;
  state->lost = info.tcpi_lost;
  state->retransmitted = info.tcpi_retrans;
  state->total_retransmitted = info.tcpi_total_retrans;
  state->round_trip = info.tcpi_rtt;
  state->round_trip_variation = info.tcpi_rttvar;
  state->timeout = info.tcpi_rto;
  state->unsent_bytes = info.tcpi_notsent_bytes;
  state->acknowledged_bytes = info.tcpi_bytes_acked;
}

// Whether the message describes an established socket whose state the kernel gave.
static bool read_socket(const struct nlmsghdr *header, clinux_tcp_state *state) {
  if (header->nlmsg_type != SOCK_DIAG_BY_FAMILY || header->nlmsg_len < NLMSG_LENGTH(sizeof(struct inet_diag_msg))) {
    return false;
  }
  const struct inet_diag_msg *body = NLMSG_DATA(header);
  if (body->idiag_state != ESTABLISHED) return false;
  int left = (int)(header->nlmsg_len - NLMSG_LENGTH(sizeof *body));
  for (struct rtattr *item = (struct rtattr *)(body + 1); RTA_OK(item, left); item = RTA_NEXT(item, left)) {
    if (item->rta_type != INET_DIAG_INFO) continue;
    memset(state, 0, sizeof *state);
    copy_info(item, state);
    return true;
  }
  return false;
}

int clinux_tcp_look(int fd, const clinux_address *local, const clinux_address *remote, clinux_tcp_state *state) {
  static _Atomic uint32_t last;
  uint32_t sequence = ++last;
  int result = ask(fd, local, remote, sequence);
  if (result < 0) return result;
  _Alignas(struct nlmsghdr) char buffer[2048];
  struct nlmsghdr *header = (struct nlmsghdr *)buffer;
  // An answer that came too late for its question is not this one's.
  do {
    ssize_t length = answer(fd, buffer, sizeof buffer);
    if (length < 0) return (int)length;
    unsigned left = (unsigned)length;
    if (!NLMSG_OK(header, left)) return -EBADMSG;
  } while (header->nlmsg_seq != sequence);
  if (header->nlmsg_type == NLMSG_ERROR) {
    if (header->nlmsg_len < NLMSG_LENGTH(sizeof(struct nlmsgerr))) return -EBADMSG;
    int error = ((struct nlmsgerr *)NLMSG_DATA(header))->error;
    return error < 0 ? error : -EBADMSG;
  }
  return read_socket(header, state) ? 0 : -ENOENT;
}
