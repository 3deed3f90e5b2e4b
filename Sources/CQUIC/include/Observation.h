// Looking on while ngtcp2 seals and opens packets and writes its log; included by CQUIC.h.
#pragma once

#include <ngtcp2/ngtcp2.h>
#include <stddef.h>
#include <stdint.h>

typedef enum CQUIC_packet_event {
  CQUIC_PACKET_SEALED,
  CQUIC_PACKET_OPENED,
  CQUIC_PACKET_NOT_OPENED,
} CQUIC_packet_event;

// Told of one packet: its header without protection, and its frames, NULL for a packet that was not opened. `overhead`
// is the length of the authentication tag, in bytes. Nothing of it is valid after the call.
typedef void (*CQUIC_packet_observer)(void *context, CQUIC_packet_event event, const uint8_t *header,
                                      size_t header_length, const uint8_t *payload,
                                      size_t payload_length, size_t overhead);

// Who is told of the packets of this thread's next library calls; NULL for nobody. The library hands the two callbacks
// below no user data, so it has to be said around each call.
void CQUIC_observe_packets(CQUIC_packet_observer observer, void *context);

// ngtcp2_crypto_encrypt_cb and ngtcp2_crypto_decrypt_cb, and the observer is told.
int CQUIC_observed_encrypt(uint8_t *dest, const ngtcp2_crypto_aead *aead,
                           const ngtcp2_crypto_aead_ctx *aead_ctx, const uint8_t *plaintext,
                           size_t plaintext_length, const uint8_t *nonce, size_t nonce_length,
                           const uint8_t *header, size_t header_length);
int CQUIC_observed_decrypt(uint8_t *dest, const ngtcp2_crypto_aead *aead,
                           const ngtcp2_crypto_aead_ctx *aead_ctx, const uint8_t *ciphertext,
                           size_t ciphertext_length, const uint8_t *nonce, size_t nonce_length,
                           const uint8_t *header, size_t header_length);

// Told of one line of the library's log, which ends in NUL and is cut at 255 bytes. `connection` is the user data that
// the library's connection was made with.
typedef void (*CQUIC_log_observer)(void *connection, const char *line, size_t length);

// Lets `observer`, the same one for every connection of the process, have the library's log.
void CQUIC_settings_observe_log(ngtcp2_settings *settings, CQUIC_log_observer observer);
