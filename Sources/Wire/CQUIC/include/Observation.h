// Observing the packets that ngtcp2 seals and opens, refusing some that it opened, and its log; included by CQUIC.h.
#pragma once

#include <ngtcp2/ngtcp2.h>
#include <stddef.h>
#include <stdint.h>

typedef enum CQUIC_packet_event {
  CQUIC_PACKET_SEALED,
  CQUIC_PACKET_OPENED,
  CQUIC_PACKET_NOT_OPENED,
} CQUIC_packet_event;

// Is called with each packet: its header without protection, and its frames, NULL for a packet that was not opened. `overhead`
// is the length of the authentication tag, in bytes. Nothing of it is valid after the call.
typedef void (*CQUIC_packet_observer)(void *context, CQUIC_packet_event event, const uint8_t *header,
                                      size_t header_length, const uint8_t *payload,
                                      size_t payload_length, size_t overhead);

// The observer of the packets of this thread's next library calls; NULL for none. The library hands the two callbacks
// below no user data, so it has to be set around each call.
void CQUIC_observe_packets(CQUIC_packet_observer observer, void *context);

// Judges one packet that was opened, before the library reads its frames: 0 accepts it, NGTCP2_ERR_CALLBACK_FAILURE ends
// the connection, NGTCP2_ERR_DECRYPT discards the packet. The bytes are valid during the call only.
typedef int (*CQUIC_packet_guard)(void *context, const uint8_t *header, size_t header_length,
                                  const uint8_t *payload, size_t payload_length);

// The judge of packets that this thread's next library calls open; NULL for none.
void CQUIC_guard_packets(CQUIC_packet_guard guard, void *context);

// The last bytes, `*length` of them, of the number of the packet that this thread sealed last.
uint32_t CQUIC_sealed_number(uint8_t *length);

// ngtcp2_crypto_encrypt_cb that informs the observer.
int CQUIC_observed_encrypt(uint8_t *dest, const ngtcp2_crypto_aead *aead,
                           const ngtcp2_crypto_aead_ctx *aead_ctx, const uint8_t *plaintext,
                           size_t plaintext_length, const uint8_t *nonce, size_t nonce_length,
                           const uint8_t *header, size_t header_length);

// ngtcp2_crypto_decrypt_cb that informs the observer and asks the guard.
int CQUIC_guarded_decrypt(uint8_t *dest, const ngtcp2_crypto_aead *aead,
                          const ngtcp2_crypto_aead_ctx *aead_ctx, const uint8_t *ciphertext,
                          size_t ciphertext_length, const uint8_t *nonce, size_t nonce_length,
                          const uint8_t *header, size_t header_length);

// Is called with each line of the library's log, which ends in NUL and is cut at 255 bytes. `connection` is the user data that
// the library's connection was made with.
typedef void (*CQUIC_log_observer)(void *connection, const char *line, size_t length);

// Lets `observer`, the same one for every connection of the process, have the library's log.
void CQUIC_settings_observe_log(ngtcp2_settings *settings, CQUIC_log_observer observer);
