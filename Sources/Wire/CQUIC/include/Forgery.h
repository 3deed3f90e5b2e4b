// Packets with chosen frames in them, for a peer that tests the other end's robustness; included by CQUIC.h.
#pragma once

#include <gnutls/gnutls.h>
#include <ngtcp2/ngtcp2.h>
#include <stddef.h>
#include <stdint.h>

// The packets to forge, by the first byte of their header in version 1 of QUIC (RFC 9000 § 17).
typedef enum CQUIC_forged_packets {
  CQUIC_FORGE_ONE_RTT,
  CQUIC_FORGE_INITIAL,
  CQUIC_FORGE_HANDSHAKE,
} CQUIC_forged_packets;

// The packets of this kind that this thread's next library call writes carry these frames, and PADDING behind them, in
// place of what the library wrote; one with less room is left alone. NULL for no frames.
void CQUIC_forge_frames(const uint8_t *frames, size_t length, CQUIC_forged_packets packets);

// Sets these bits in the first byte of forged packets' headers, before that is authenticated; until the next call of
// CQUIC_forge_frames.
void CQUIC_forge_bits(uint8_t bits);

// Changes the frames of a packet that is about to be sealed, in a copy, and not its length.
typedef void (*CQUIC_packet_forger)(void *context, const uint8_t *header, size_t header_length,
                                    uint8_t *payload, size_t payload_length);

// Who changes the packets that this thread's next library calls write; NULL for nobody.
void CQUIC_forge_packets(CQUIC_packet_forger forger, void *context);

// Whether a packet took the frames since they were set.
int CQUIC_forged(void);

// CQUIC_observed_encrypt, which forges.
int CQUIC_forging_encrypt(uint8_t *dest, const ngtcp2_crypto_aead *aead,
                          const ngtcp2_crypto_aead_ctx *aead_ctx, const uint8_t *plaintext,
                          size_t plaintext_length, const uint8_t *nonce, size_t nonce_length,
                          const uint8_t *header, size_t header_length);

// Has a server's session give a transport parameter twice (RFC 9000 § 7.4). To be called before the session is set up for
// QUIC, which then fails at its last step, the library's own transport parameters, because these have their place; the
// rest is done. 0 for success.
int CQUIC_repeat_transport_parameter(gnutls_session_t session);

// The same for a server that gives no transport parameters at all (RFC 9001 § 8.2).
int CQUIC_omit_transport_parameters(gnutls_session_t session);
