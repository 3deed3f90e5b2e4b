#ifndef CLINUX_H
#define CLINUX_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Every function that returns `int` answers -errno on failure; none of them sets a global the caller must read.

// An IP address and port in host order: an IPv4 address in the low 32 bits of `low`, an IPv6 address in both halves.
typedef struct clinux_address {
  uint64_t high;
  uint64_t low;
  uint32_t scope;   // interface index of a link-local IPv6 address, else 0
  uint16_t port;
  uint8_t family;   // 4 or 6; 0 for "not given"
} clinux_address;

// Monotonic time, in nanoseconds.
uint64_t clinux_now(void);

// Names a thread for debuggers and `top`; pthread_setname_np is behind _GNU_SOURCE, which Swift does not set.
void clinux_thread_name(pthread_t thread, const char *name);

// epoll. `interest` and `ready` are sums of the three marks below.
enum { CLINUX_READABLE = 1, CLINUX_WRITABLE = 2, CLINUX_FAILED = 4 };

typedef struct clinux_ready {
  uint64_t token;
  uint32_t marks;
} clinux_ready;

int clinux_epoll_create(void);
int clinux_epoll_add(int epoll, int fd, uint32_t interest, uint64_t token);
int clinux_epoll_modify(int epoll, int fd, uint32_t interest, uint64_t token);
int clinux_epoll_remove(int epoll, int fd);
// Waits without end, or not at all, for at most 64 marks; answers their number, 0 when a signal interrupted.
int clinux_epoll_wait(int epoll, clinux_ready *ready, int capacity, bool block);

// An absolute timer on the monotonic clock; a time in the past fires at once, 0 disarms.
int clinux_timer_create(void);
int clinux_timer_arm(int timer, uint64_t nanoseconds);

// A counter that wakes the loop.
int clinux_event_create(void);
int clinux_event_signal(int event);

// Reads the eight bytes of a timer or counter, so that it is no longer readable.
void clinux_drain(int fd);
void clinux_close(int fd);

// UDP.

// Opens a non-blocking socket bound to `local`. IPv6's wildcard takes IPv4 too. With `wants_local_address`,
// received datagrams tell the local address that they were sent to.
int clinux_udp_open(const clinux_address *local, bool wants_local_address);
int clinux_udp_connect(int fd, const clinux_address *remote);
int clinux_udp_local_address(int fd, clinux_address *local);

// One received datagram, or with `segment_size` several of that size and a shorter last one (UDP_GRO).
typedef struct clinux_datagram {
  clinux_address remote;
  clinux_address local;   // family 0 when not known; its port is 0
  uint32_t offset;
  uint32_t length;
  uint32_t segment_size;  // 0: one datagram
  uint8_t ecn;
  bool truncated;
} clinux_datagram;

enum { CLINUX_RECEIVE_SLOTS = 32 };

// Receives up to CLINUX_RECEIVE_SLOTS datagrams, the nth at n * slot_size of `buffer`; answers their number.
int clinux_udp_receive(int fd, void *buffer, size_t size, size_t slot_size, clinux_datagram *datagrams);

// Sends `length` bytes as datagrams of `segment_size` bytes, the last one perhaps shorter, with one ECN mark.
//
// `remote` is NULL on a connected socket, `local` NULL to let the kernel choose the source. Answers 0 when all were
// taken; `*sent` is the number of datagrams that were, also on failure.
int clinux_udp_send(
    int fd, uint8_t socket_family, const clinux_address *remote, const clinux_address *local, uint8_t ecn,
    const void *bytes, size_t length, size_t segment_size, uint32_t *sent);

// Names.

// Resolves a name, or only reads a literal with `numeric_only`; answers the number of addresses written, or a
// negative code that `clinux_resolve_message` puts into words.
int clinux_resolve(const char *host, uint16_t port, bool numeric_only, clinux_address *addresses, int capacity);
const char *clinux_resolve_message(int code);
// Whether the code says that the name has no address (and not that asking failed).
bool clinux_resolve_is_not_found(int code);

#endif
