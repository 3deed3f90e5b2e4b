#include "CQUIC.h"

_Static_assert(GNUTLS_ENCRYPTION_LEVEL_APPLICATION < 4, "two bits of a byte for each level");

// What the library's own function does beside (crypto/gnutls/gnutls.c of 1.11.0), in its order.
static int install_secrets(gnutls_session_t session, gnutls_record_encryption_level_t level,
                           const void *receiving, const void *sending, size_t length) {
  CQUIC_session_ref *reference = gnutls_session_get_ptr(session);
  uint8_t wanted = (uint8_t)(((receiving ? 1 : 0) | (sending ? 2 : 0)) << (2 * level));
  if (reference->installed & wanted) return GNUTLS_E_UNEXPECTED_PACKET;
  reference->installed |= wanted;
  ngtcp2_encryption_level quic_level =
      ngtcp2_crypto_gnutls_from_gnutls_record_encryption_level(level);
  if (receiving && ngtcp2_crypto_derive_and_install_rx_key(reference->conn, NULL, NULL, NULL,
                                                           quic_level, receiving, length) != 0) {
    return -1;
  }
  if (sending && ngtcp2_crypto_derive_and_install_tx_key(reference->conn, NULL, NULL, NULL,
                                                         quic_level, sending, length) != 0) {
    return -1;
  }
  return 0;
}

void CQUIC_install_each_secret_once(gnutls_session_t session) {
  gnutls_handshake_set_secret_function(session, install_secrets);
}
