// The door to ngtcp2, nghttp3 and GnuTLS; imported by HTTP3Engine alone.
#pragma once

#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <gnutls/ocsp.h>
#include <gnutls/x509.h>
#include <nghttp3/nghttp3.h>
#include <ngtcp2/ngtcp2.h>
#include <ngtcp2/ngtcp2_crypto.h>
#include <ngtcp2/ngtcp2_crypto_gnutls.h>
#include <string.h>
#include <netinet/in.h>

#include "Forgery.h"
#include "Observation.h"

#if NGTCP2_VERSION_NUM < 0x010b00
#error "libngtcp2 1.11 or newer is needed; run Tools/setup, which installs it (on Debian 12 from bookworm-backports)"
#endif

// Function-like macros, which Swift does not import.

static inline int CQUIC_conn_client_new(ngtcp2_conn **conn, const ngtcp2_cid *dcid,
                                        const ngtcp2_cid *scid, const ngtcp2_path *path,
                                        uint32_t version, const ngtcp2_callbacks *callbacks,
                                        const ngtcp2_settings *settings,
                                        const ngtcp2_transport_params *params, void *user_data) {
  return ngtcp2_conn_client_new(conn, dcid, scid, path, version, callbacks, settings, params, NULL,
                                user_data);
}

static inline int CQUIC_conn_server_new(ngtcp2_conn **conn, const ngtcp2_cid *dcid,
                                        const ngtcp2_cid *scid, const ngtcp2_path *path,
                                        uint32_t version, const ngtcp2_callbacks *callbacks,
                                        const ngtcp2_settings *settings,
                                        const ngtcp2_transport_params *params, void *user_data) {
  return ngtcp2_conn_server_new(conn, dcid, scid, path, version, callbacks, settings, params, NULL,
                                user_data);
}

static inline void CQUIC_settings_default(ngtcp2_settings *settings) {
  ngtcp2_settings_default(settings);
}

static inline void CQUIC_transport_params_default(ngtcp2_transport_params *params) {
  ngtcp2_transport_params_default(params);
}

static inline int CQUIC_conn_set_local_transport_params(ngtcp2_conn *conn,
                                                        const ngtcp2_transport_params *params) {
  return ngtcp2_conn_set_local_transport_params(conn, params);
}

static inline int CQUIC_conn_read_pkt(ngtcp2_conn *conn, const ngtcp2_path *path,
                                      const ngtcp2_pkt_info *pi, const uint8_t *pkt, size_t pktlen,
                                      ngtcp2_tstamp ts) {
  return ngtcp2_conn_read_pkt(conn, path, pi, pkt, pktlen, ts);
}

// nghttp3_vec and ngtcp2_vec are the same two members; the libraries' examples cast one to the other too.
static inline ngtcp2_ssize CQUIC_conn_writev_stream(ngtcp2_conn *conn, ngtcp2_path *path,
                                                    ngtcp2_pkt_info *pi, uint8_t *dest,
                                                    size_t destlen, ngtcp2_ssize *pdatalen,
                                                    uint32_t flags, int64_t stream_id,
                                                    const nghttp3_vec *vec, size_t veccnt,
                                                    ngtcp2_tstamp ts) {
  return ngtcp2_conn_writev_stream(conn, path, pi, dest, destlen, pdatalen, flags, stream_id,
                                   (const ngtcp2_vec *)vec, veccnt, ts);
}

static inline ngtcp2_ssize CQUIC_conn_write_datagram(ngtcp2_conn *conn, ngtcp2_path *path,
                                                     ngtcp2_pkt_info *pi, uint8_t *dest,
                                                     size_t destlen, int *accepted, uint32_t flags,
                                                     uint64_t number, const uint8_t *data,
                                                     size_t length, ngtcp2_tstamp ts) {
  return ngtcp2_conn_write_datagram(conn, path, pi, dest, destlen, accepted, flags, number, data,
                                    length, ts);
}

static inline ngtcp2_ssize CQUIC_conn_write_connection_close(ngtcp2_conn *conn, ngtcp2_path *path,
                                                             ngtcp2_pkt_info *pi, uint8_t *dest,
                                                             size_t destlen,
                                                             const ngtcp2_ccerr *ccerr,
                                                             ngtcp2_tstamp ts) {
  return ngtcp2_conn_write_connection_close(conn, path, pi, dest, destlen, ccerr, ts);
}

// Drops the reset token that the server gave for its first connection id if that id is no longer in use, which a
// NEW_CONNECTION_ID right behind the handshake may bring about: the library asserts at the next write that the token
// belongs to the id in use (lib/ngtcp2_conn.c:9980 of 1.11.0; fixed by bf5a8812 of 1.22).
static inline void CQUIC_conn_settle_reset_token(ngtcp2_conn *conn) {
  const ngtcp2_transport_params *params = ngtcp2_conn_get_remote_transport_params(conn);
  if (!params || !params->stateless_reset_token_present || !params->initial_scid_present) return;
  if (ngtcp2_cid_eq(ngtcp2_conn_get_dcid(conn), &params->initial_scid)) return;
  // The library's own allocation, which it lends as constant.
  ((ngtcp2_transport_params *)(uintptr_t)params)->stateless_reset_token_present = 0;
}

static inline void CQUIC_conn_get_conn_info(ngtcp2_conn *conn, ngtcp2_conn_info *info) {
  ngtcp2_conn_get_conn_info(conn, info);
}

static inline void CQUIC_http_settings_default(nghttp3_settings *settings) {
  nghttp3_settings_default(settings);
}

static inline int CQUIC_http_client_new(nghttp3_conn **conn, const nghttp3_callbacks *callbacks,
                                        const nghttp3_settings *settings, void *user_data) {
  return nghttp3_conn_client_new(conn, callbacks, settings, nghttp3_mem_default(), user_data);
}

static inline int CQUIC_http_server_new(nghttp3_conn **conn, const nghttp3_callbacks *callbacks,
                                        const nghttp3_settings *settings, void *user_data) {
  return nghttp3_conn_server_new(conn, callbacks, settings, nghttp3_mem_default(), user_data);
}

static inline int CQUIC_http_set_server_stream_priority(nghttp3_conn *conn, int64_t stream_id,
                                                        const nghttp3_pri *priority) {
  return nghttp3_conn_set_server_stream_priority(conn, stream_id, priority);
}

static inline int CQUIC_http_get_stream_priority(nghttp3_conn *conn, nghttp3_pri *dest,
                                                 int64_t stream_id) {
  return nghttp3_conn_get_stream_priority(conn, dest, stream_id);
}

static inline int CQUIC_http_parse_priority(nghttp3_pri *dest, const uint8_t *value, size_t length) {
  return nghttp3_pri_parse_priority(dest, value, length);
}

// GnuTLS's deallocator is a mutable global variable, which Swift 6 does not let one read.
static inline void CQUIC_gnutls_free(void *pointer) { gnutls_free(pointer); }

// What a GnuTLS session points back to. It must not move while the session lives.
typedef struct CQUIC_session_ref {
  ngtcp2_crypto_conn_ref ref;  // first, because GnuTLS's session pointer is read as this type
  ngtcp2_conn *conn;
  void *owner;
  uint8_t installed;  // secrets for receiving and sending, two bits a level
} CQUIC_session_ref;

static inline ngtcp2_conn *CQUIC_session_ref_get_conn(ngtcp2_crypto_conn_ref *ref) {
  return ((CQUIC_session_ref *)ref)->conn;
}

static inline void CQUIC_session_ref_init(CQUIC_session_ref *session_ref, void *owner) {
  session_ref->ref.get_conn = CQUIC_session_ref_get_conn;
  session_ref->ref.user_data = session_ref;
  session_ref->conn = NULL;
  session_ref->owner = owner;
  session_ref->installed = 0;
}

// Lets each secret of the session be installed once: where GnuTLS (3.7.9) derives one again, as it does for a KeyUpdate and
// behind a HelloRetryRequest beside early data, ngtcp2 (1.11) aborts. The handshake, or what follows it, fails with
// unexpected_message instead. To be called behind ngtcp2_crypto_gnutls_configure_{client,server}_session.
void CQUIC_install_each_secret_once(gnutls_session_t session);

// Whether the secret that opens early data is installed.
static inline int CQUIC_session_ref_opens_early_data(const CQUIC_session_ref *session_ref) {
  return session_ref->installed >> (2 * GNUTLS_ENCRYPTION_LEVEL_EARLY) & 1;
}

// Socket addresses, which Swift could only reach through unions and casts.
typedef struct CQUIC_address {
  uint8_t ip[16];  // network order; the first four bytes for IPv4
  uint32_t scope;  // of an IPv6 address, in host order
  uint16_t port;   // in host order
  uint8_t is_ipv6;
} CQUIC_address;

static inline socklen_t CQUIC_address_store(const CQUIC_address *address, void *dest) {
  if (address->is_ipv6) {
    struct sockaddr_in6 v6;
    memset(&v6, 0, sizeof v6);
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(address->port);
    v6.sin6_scope_id = address->scope;
    memcpy(&v6.sin6_addr, address->ip, 16);
    memcpy(dest, &v6, sizeof v6);
    return sizeof v6;
  }
  struct sockaddr_in v4;
  memset(&v4, 0, sizeof v4);
  v4.sin_family = AF_INET;
  v4.sin_port = htons(address->port);
  memcpy(&v4.sin_addr, address->ip, 4);
  memcpy(dest, &v4, sizeof v4);
  return sizeof v4;
}

static inline void CQUIC_address_load(CQUIC_address *address, const void *source) {
  memset(address, 0, sizeof *address);
  if (((const struct sockaddr *)source)->sa_family == AF_INET6) {
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)source;
    address->is_ipv6 = 1;
    address->port = ntohs(v6->sin6_port);
    address->scope = v6->sin6_scope_id;
    memcpy(address->ip, &v6->sin6_addr, 16);
  } else {
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)source;
    address->port = ntohs(v4->sin_port);
    memcpy(address->ip, &v4->sin_addr, 4);
  }
}

// Writes into a path that has its storage.
static inline void CQUIC_path_fill(ngtcp2_path *path, const CQUIC_address *local,
                                   const CQUIC_address *remote) {
  path->local.addrlen = CQUIC_address_store(local, path->local.addr);
  path->remote.addrlen = CQUIC_address_store(remote, path->remote.addr);
}

// A server's preferred addresses; one that is absent has port 0.
static inline void CQUIC_preferred_addresses(const ngtcp2_transport_params *params,
                                             CQUIC_address *v4, CQUIC_address *v6) {
  memset(v4, 0, sizeof *v4);
  memset(v6, 0, sizeof *v6);
  v6->is_ipv6 = 1;
  if (params->preferred_addr.ipv4_present) CQUIC_address_load(v4, &params->preferred_addr.ipv4);
  if (params->preferred_addr.ipv6_present) CQUIC_address_load(v6, &params->preferred_addr.ipv6);
}

static inline void CQUIC_offer_preferred_addresses(ngtcp2_transport_params *params,
                                                   const CQUIC_address *v4, const CQUIC_address *v6,
                                                   const ngtcp2_cid *cid) {
  params->preferred_addr_present = 1;
  params->preferred_addr.cid = *cid;
  params->preferred_addr.ipv4_present = v4->port != 0;
  params->preferred_addr.ipv6_present = v6->port != 0;
  CQUIC_address_store(v4, &params->preferred_addr.ipv4);
  CQUIC_address_store(v6, &params->preferred_addr.ipv6);
}

static inline void CQUIC_path_store(ngtcp2_path_storage *storage, const CQUIC_address *local,
                                    const CQUIC_address *remote) {
  ngtcp2_path_storage_zero(storage);
  storage->path.local.addrlen = CQUIC_address_store(local, &storage->local_addrbuf);
  storage->path.remote.addrlen = CQUIC_address_store(remote, &storage->remote_addrbuf);
}
