#include "CQUIC.h"

static _Thread_local const uint8_t *forged_frames;
static _Thread_local size_t forged_length;
static _Thread_local CQUIC_forged_packets forged_packets;
static _Thread_local uint8_t forged_bits;
static _Thread_local int is_forged;
static _Thread_local CQUIC_packet_forger packet_forger;
static _Thread_local void *forger_context;

void CQUIC_forge_frames(const uint8_t *frames, size_t length, CQUIC_forged_packets packets) {
  forged_frames = frames;
  forged_length = length;
  forged_packets = packets;
  forged_bits = 0;
  is_forged = 0;
}

void CQUIC_forge_bits(uint8_t bits) { forged_bits = bits; }

void CQUIC_forge_packets(CQUIC_packet_forger forger, void *context) {
  packet_forger = forger;
  forger_context = context;
}

int CQUIC_forged(void) { return is_forged; }

static int is_wanted(uint8_t first) {
  switch (forged_packets) {
    case CQUIC_FORGE_ONE_RTT: return !(first & 0x80);
    case CQUIC_FORGE_INITIAL: return (first & 0xb0) == 0x80;
    case CQUIC_FORGE_HANDSHAKE: return (first & 0xb0) == 0xa0;
  }
  return 0;
}

int CQUIC_forging_encrypt(uint8_t *dest, const ngtcp2_crypto_aead *aead,
                          const ngtcp2_crypto_aead_ctx *aead_ctx, const uint8_t *plaintext,
                          size_t plaintext_length, const uint8_t *nonce, size_t nonce_length,
                          const uint8_t *header, size_t header_length) {
  uint8_t forgery[2048];
  int has_room = forged_frames && forged_length <= plaintext_length &&
                 plaintext_length <= sizeof forgery && header_length > 0 && is_wanted(header[0]);
  if (has_room) {
    memcpy(forgery, forged_frames, forged_length);
    memset(forgery + forged_length, 0, plaintext_length - forged_length);
    plaintext = forgery;
    // The header is the packet's own, in the library's buffer, and is masked only after this call (RFC 9001 § 5.4).
    ((uint8_t *)(uintptr_t)header)[0] |= forged_bits;
    is_forged = 1;
  }
  if (packet_forger && plaintext_length > 0 && plaintext_length <= sizeof forgery) {
    if (!has_room) memcpy(forgery, plaintext, plaintext_length);
    packet_forger(forger_context, header, header_length, forgery, plaintext_length);
    plaintext = forgery;
  }
  return CQUIC_observed_encrypt(dest, aead, aead_ctx, plaintext, plaintext_length, nonce,
                                nonce_length, header, header_length);
}

static ngtcp2_conn *connection_of(gnutls_session_t session) {
  ngtcp2_crypto_conn_ref *reference = gnutls_session_get_ptr(session);
  return reference->get_conn(reference);
}

static int receive_parameters(gnutls_session_t session, const unsigned char *data, size_t length) {
  ngtcp2_conn *connection = connection_of(session);
  int code = ngtcp2_conn_decode_and_set_remote_transport_params(connection, data, length);
  if (code == 0) return 0;
  ngtcp2_conn_set_tls_error(connection, code);
  return -1;
}

static int send_repeated_parameters(gnutls_session_t session, gnutls_buffer_t extension) {
  // disable_active_migration, which has no value (RFC 9000 § 18.2).
  static const uint8_t repeated[] = {0x0c, 0, 0x0c, 0};
  uint8_t bytes[512];
  ngtcp2_ssize length =
      ngtcp2_conn_encode_local_transport_params(connection_of(session), bytes, sizeof bytes);
  if (length < 0 || gnutls_buffer_append_data(extension, bytes, (size_t)length) != 0) return -1;
  return gnutls_buffer_append_data(extension, repeated, sizeof repeated) == 0 ? 0 : -1;
}

static int send_no_parameters(gnutls_session_t session, gnutls_buffer_t extension) {
  (void)session;
  (void)extension;
  return 0;
}

static int replace_parameters(gnutls_session_t session, gnutls_ext_send_func send) {
  return gnutls_session_ext_register(
      session, "QUIC Transport Parameters", NGTCP2_TLSEXT_QUIC_TRANSPORT_PARAMETERS_V1,
      GNUTLS_EXT_TLS, receive_parameters, send, NULL, NULL, NULL,
      GNUTLS_EXT_FLAG_TLS | GNUTLS_EXT_FLAG_CLIENT_HELLO | GNUTLS_EXT_FLAG_EE);
}

int CQUIC_repeat_transport_parameter(gnutls_session_t session) {
  return replace_parameters(session, send_repeated_parameters);
}

int CQUIC_omit_transport_parameters(gnutls_session_t session) {
  return replace_parameters(session, send_no_parameters);
}
