#ifndef CLINUX_H
#define CLINUX_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/types.h>

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

// posix_spawn_file_actions_addclosefrom_np, which is behind _GNU_SOURCE.
int clinux_close_from(posix_spawn_file_actions_t *actions, int first);

// Names a thread for debuggers and `top`; pthread_setname_np is behind _GNU_SOURCE, which Swift does not set.
void clinux_thread_name(pthread_t thread, const char *name);

// epoll. `interest` and `ready` are sums of the three marks below.
// CLINUX_ONCE: reported once for each time that it becomes so, whether it is read or not (edge-triggered).
enum { CLINUX_READABLE = 1, CLINUX_WRITABLE = 2, CLINUX_FAILED = 4, CLINUX_ONCE = 8 };

typedef struct clinux_ready {
  uint64_t token;
  uint32_t marks;
} clinux_ready;

int clinux_epoll_create(void);
int clinux_epoll_add(int epoll, int fd, uint32_t interest, uint64_t token);
int clinux_epoll_modify(int epoll, int fd, uint32_t interest, uint64_t token);
int clinux_epoll_remove(int epoll, int fd);
// Waits until `deadline`, an absolute monotonic time in nanoseconds: 0 is not at all, UINT64_MAX without end. Takes at
// most 64 marks; answers their number, 0 when the time has come or a signal interrupted.
int clinux_epoll_wait(int epoll, clinux_ready *ready, int capacity, uint64_t deadline);

// An absolute timer on the monotonic clock; a time in the past fires at once, 0 disarms.
int clinux_timer_create(void);
int clinux_timer_arm(int timer, uint64_t nanoseconds);

// A counter that wakes the loop.
int clinux_event_create(void);
int clinux_event_signal(int event);

// Readable when the machine's time has jumped, as after it was suspended; to be armed anew each time.
int clinux_clock_watch_create(void);
int clinux_clock_watch_arm(int watch);

// How long the machine has been suspended since it started, in nanoseconds.
uint64_t clinux_suspended_time(void);

// Reads the eight bytes of a timer or counter, so that it is no longer readable.
void clinux_drain(int fd);
void clinux_close(int fd);

// Random bytes of the kernel's secure source, at most 256 of them; false if it gives none.
bool clinux_random(void *bytes, size_t count);

// Files whose path and bytes are in memory. None of these waits for a disk: they answer -EAGAIN where they would have to,
// and another error where the kernel or the file system cannot tell (Linux before 5.12).

typedef struct clinux_file {
  int64_t size;
  int64_t modified;  // whole seconds since 1970
  bool is_folder;
  bool is_regular;
} clinux_file;

// What is known of the file of a path.
int clinux_file_look(const char *path, clinux_file *file);
// Opens a file for reading, whatever it is.
int clinux_file_open(const char *path, clinux_file *file);
// Reads up to `count` bytes; answers their number, 0 at the end.
ssize_t clinux_file_read(int fd, void *bytes, size_t count, int64_t offset);

// UDP.

// Opens a non-blocking socket bound to `local`. IPv6's wildcard takes IPv4 too. With `wants_local_address`,
// received datagrams have the local address that they were sent to. One that `joins` shares the address with sockets of the
// same user for which clinux_udp_share was called, or which joined before.
int clinux_udp_open(const clinux_address *local, bool wants_local_address, bool joins);
// Prepares a socket that another process has bound, in the same way; answers its family, 4 or 6. What came before that has
// its path and mark too.
int clinux_udp_adopt(int fd);
// Lets sockets that are opened later join a bound one (SO_REUSEPORT). That it was bound without makes sure that the address
// was free, which is not known of one that joins.
int clinux_udp_share(int fd);

// The choice of a socket, among those that share an address, by four bytes of a QUIC packet's connection id.
typedef struct clinux_steering {
  uint32_t short_offset;  // of the bytes in a packet with a short header
  uint32_t long_offset;   // and with a long one
  uint32_t multiplier;
  uint32_t count;         // of sockets; not 0
} clinux_steering;

// Has the kernel choose by (bytes * multiplier mod 2^32) / 2^16 mod count, in the order in which the sockets joined; where a
// packet is too short for the bytes, the first. It is for all sockets at the address, of which there have to be two.
int clinux_udp_steer(int fd, const clinux_steering *steering);
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

enum { CLINUX_RECEIVE_SLOTS = 16 };

// Receives up to `slots` datagrams, CLINUX_RECEIVE_SLOTS at most, the nth at n * slot_size of `buffer`; answers their number.
int clinux_udp_receive(
    int fd, void *buffer, size_t size, size_t slot_size, unsigned slots, clinux_datagram *datagrams);

// Sends `length` bytes as datagrams of `segment_size` bytes, the last one perhaps shorter, with one ECN mark.
//
// `remote` is NULL on a connected socket, `local` NULL to let the kernel choose the source. Answers 0 when all were
// taken; `*sent` is the number of datagrams that were, also on failure.
int clinux_udp_send(
    int fd, uint8_t socket_family, const clinux_address *remote, const clinux_address *local, uint8_t ecn,
    const void *bytes, size_t length, size_t segment_size, uint32_t *sent);

// The same in one piece of which the kernel or the network card makes datagrams (UDP_SEGMENT), up to 64 of them and 65 507
// bytes: all or none is taken. EIO and EINVAL mean that it cannot be done, also where it could before.
int clinux_udp_send_segments(
    int fd, uint8_t socket_family, const clinux_address *remote, const clinux_address *local, uint8_t ecn,
    const void *bytes, size_t length, size_t segment_size);

// Changes of the network.

// Subscribes to changes of this machine's interfaces, addresses and routes (rtnetlink(7)); a non-blocking descriptor.
int clinux_network_open(void);
// Reads all notices that wait; whether there were any, or some were lost.
bool clinux_network_drain(int fd);
// Whether a running interface has the address; the port does not matter.
bool clinux_network_has_address(const clinux_address *address);

// Addresses of others.

// Reads a struct sockaddr of `length` bytes; false for a family that is not IP.
bool clinux_read_address(const void *system, size_t length, clinux_address *address);
// bind(2) and connect(2), each 0 or a negated errno.
int clinux_bind(int fd, const clinux_address *address);
int clinux_connect(int fd, const clinux_address *address);
// getsockname(2) and getpeername(2), each 0 or a negated errno; the family is 0 if it is not IP.
int clinux_local_address(int fd, clinux_address *address);
int clinux_peer_address(int fd, clinux_address *address);
// Reads an address such as 127.0.0.1, ::1 or fe80::1%eth0; false for a name.
bool clinux_read_literal(const char *text, uint16_t port, clinux_address *address);

// Sockets of others, and what a service manager is told.

enum { CLINUX_SOCKET_OTHER, CLINUX_SOCKET_TCP, CLINUX_SOCKET_UDP };

typedef struct clinux_socket {
  clinux_address local;  // family 0 if it is not IP
  int kind;              // CLINUX_SOCKET_*
  bool is_connected;
} clinux_socket;

// The kind of a descriptor that another process has opened; -ENOTSOCK where it is no socket, -EBADF where nothing is open.
int clinux_socket_look(int fd, clinux_socket *found);
// Keeps a descriptor from programs that this one starts.
int clinux_close_on_exec(int fd);
// Sends a datagram to a Unix socket: a path, or an abstract name with '@' in place of its zero byte. Waits two seconds at
// most for room.
int clinux_notice_send(const char *address, const void *bytes, size_t count);

// Network namespaces and TUN devices.

// Gives the calling thread, and what it starts later, a new network namespace that has but a loopback device.
int clinux_unshare_network(void);
// Makes a TUN device of whole IP packets in the thread's namespace; its non-blocking descriptor.
int clinux_tun_open(const char *name);
// Sets MTU and transmit queue (0: as it is) and switches the device on.
int clinux_link_up(const char *name, uint32_t mtu, uint32_t queue_length);
int clinux_link_add_address(const char *name, const clinux_address *address, uint8_t prefix_length);
// Sends what goes to `destination` through the device. The congestion control, unless NULL, is a metric of the route:
// that works for every one that the kernel has, where the namespace's default takes unrestricted ones alone.
int clinux_link_add_route(
    const char *name, const clinux_address *destination, uint8_t prefix_length, const char *congestion_control);

enum { CLINUX_STEP_USER_NAMESPACE, CLINUX_STEP_NETWORK_NAMESPACE, CLINUX_STEP_TUN };

// Tries in a short-lived child whether a link could be made, `in_user_namespace` or as we are; `*step` failed.
int clinux_probe_link(bool in_user_namespace, const char *user_map, const char *group_map, int *step);

// The state of TCP sockets, by sock_diag(7).

// A socket's congestion control and what it has in flight. Sizes without a unit are segments, times microseconds.
typedef struct clinux_tcp_state {
  uint64_t acknowledged_bytes;
  uint32_t segment_bytes;
  uint32_t window;
  uint32_t threshold;  // of slow start; INT32_MAX before the first loss
  uint32_t unacknowledged;
  uint32_t sacked;
  uint32_t lost;
  uint32_t retransmitted;  // and not yet acknowledged
  uint32_t total_retransmitted;
  uint32_t round_trip;
  uint32_t round_trip_variation;
  uint32_t timeout;
  uint32_t unsent_bytes;
  uint8_t congestion_state;  // enum tcp_ca_state: 0 open, 1 disorder, 2 CWR, 3 recovery, 4 loss
} clinux_tcp_state;

// A descriptor for the next, for the namespace in which it was opened, on whatever thread.
int clinux_diagnostics_open(void);
// Reads the state of an established TCP socket; -ENOENT where there is none. One is looked up by its hash; a list of all of
// them would walk the kernel's whole table.
int clinux_tcp_look(int fd, const clinux_address *local, const clinux_address *remote, clinux_tcp_state *state);

// Processes that cannot outlive us.

typedef struct clinux_command {
  const char *path;
  char *const *arguments;    // ends with NULL
  char *const *environment;  // ends with NULL
  const char *directory;     // NULL: ours
  int input, output, error;  // -1: /dev/null
  bool owns_terminal;        // whether it is the foreground process group of the terminal that `input` is
} clinux_command;

typedef struct clinux_child {
  pid_t first;    // process 1 of the command's own PID namespace: ends with the thread that started it, or SIGKILL
  pid_t process;  // the command, which leads its own process group and, unless it owns the terminal, session
  int status;
} clinux_child;

typedef struct clinux_ending {
  int exit_code;
  int signal;  // 0: it exited
  int64_t user_microseconds;
  int64_t system_microseconds;
  int64_t peak_kilobytes;
} clinux_ending;

enum { CLINUX_STEP_FORK, CLINUX_STEP_DIRECTORY, CLINUX_STEP_OPEN_NULL, CLINUX_STEP_EXECUTE };

// Starts a command in the thread's namespaces. On failure `*step` is the step that did not work.
int clinux_spawn(const clinux_command *command, clinux_child *child, int *step);
// Waits until the command and all its descendants have ended; false when they were killed from here.
bool clinux_await_end(const clinux_child *child, clinux_ending *ending);
// Frees the number of an ended child; nothing may be sent to it afterwards.
void clinux_reap(const clinux_child *child);
// Processor time that a process has used, its ended threads included, or -errno.
int64_t clinux_process_nanoseconds(pid_t process);

// The calling thread, and time.

int clinux_set_timer_slack(uint64_t nanoseconds);
int64_t clinux_timer_slack(void);
// SCHED_FIFO, or the usual policy again; what the thread starts has the usual one.
int clinux_set_realtime(bool on);
// Keeps what the process has mapped by now in memory, each page from when it is first used.
int clinux_lock_memory(bool on);
// Nanoseconds since 1970.
uint64_t clinux_wall_time(void);
// Whether the path names the open file. In C, since Swift takes struct stat for Foundation's where both are imported.
bool clinux_is_name(const char *path, int fd);
void clinux_sleep_until(uint64_t nanoseconds);
// Processor time that the calling thread has used, in nanoseconds.
uint64_t clinux_thread_nanoseconds(void);

#endif
