// The door to c-ares; imported by StreamTransport alone.
#pragma once

#include <ares.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#if ARES_VERSION < 0x011200
#error "c-ares 1.18 or newer is needed; run Tools/setup, which installs it"
#endif

// Whether the address of a name server may name the interface that leads to it, as in fe80::1%eth0.
static inline bool CAres_takes_scopes(void) { return ARES_VERSION >= 0x011800; }

// How DNS is asked: all that c-ares would otherwise read from files and the environment.
typedef struct CAres_settings {
  const char *servers;  // 192.0.2.1:53,[2001:db8::1]:53
  char **domains;
  int domain_count;
  int dots;
  int timeout;  // milliseconds, of the first round
  int attempts;
} CAres_settings;

// Makes a channel that takes nothing from files and the environment, keeps no answers, and reports its sockets to `watch`.
static inline int CAres_open(ares_channel *channel, const CAres_settings *settings, ares_sock_state_cb watch,
                             void *context) {
  struct ares_options options;
  char none[] = "/dev/null", dns[] = "b";
  memset(&options, 0, sizeof options);
  options.flags = ARES_FLAG_NOALIASES;
  options.timeout = settings->timeout;
  options.tries = settings->attempts;
  options.ndots = settings->dots;
  options.domains = settings->domains;
  options.ndomains = settings->domain_count;
  options.lookups = dns;
  options.resolvconf_path = none;
  options.sock_state_cb = watch;
  options.sock_state_cb_data = context;
  int mask = ARES_OPT_FLAGS | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_NDOTS | ARES_OPT_DOMAINS |
             ARES_OPT_LOOKUPS | ARES_OPT_RESOLVCONF | ARES_OPT_SOCK_STATE_CB | ARES_OPT_SERVERS |
             ARES_OPT_SORTLIST | ARES_OPT_NOROTATE;
#ifdef ARES_OPT_QUERY_CACHE
  // Newer ones keep answers unless told for how long, here 0 s: on another network they can be wrong.
  mask |= ARES_OPT_QUERY_CACHE;
#endif
  *channel = NULL;
  int status = ares_init_options(channel, &options, mask);
  if (status == ARES_SUCCESS) status = ares_set_servers_ports_csv(*channel, settings->servers);
  if (status != ARES_SUCCESS && *channel != NULL) {
    ares_destroy(*channel);
    *channel = NULL;
  }
  return status;
}

// Once for the process, before the first channel; 0 is success.
static inline int CAres_start(void) { return ares_library_init(ARES_LIB_INIT_ALL); }

// Looks up the addresses of both families; `done` is called once, perhaps at once, and frees the list it gets.
static inline void CAres_look_up(ares_channel channel, const char *name, ares_addrinfo_callback done, void *context) {
  struct ares_addrinfo_hints hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_DGRAM};
  ares_getaddrinfo(channel, name, NULL, &hints, done, context);
}

// Reads and writes where it can be done, and does what time has come for.
static inline void CAres_process(ares_channel channel, int socket, bool readable, bool writable) {
  ares_process_fd(channel, readable ? socket : ARES_SOCKET_BAD, writable ? socket : ARES_SOCKET_BAD);
}

// Microseconds until the channel's next time limit; -1: it waits for nothing.
static inline int64_t CAres_wait(ares_channel channel) {
  struct timeval value;
  const struct timeval *wait = ares_timeout(channel, NULL, &value);
  return wait == NULL ? -1 : (int64_t)wait->tv_sec * 1000000 + wait->tv_usec;
}

// Codes are macros in old versions and an enumeration in new ones.

// Whether name servers say that there is no such name, or none with an address.
static inline bool CAres_is_not_found(int status) {
  return status == ARES_ENOTFOUND || status == ARES_ENODATA || status == ARES_EBADNAME;
}
