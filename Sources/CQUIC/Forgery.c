#include "CQUIC.h"

static _Thread_local const uint8_t *forged_frames;
static _Thread_local size_t forged_length;
static _Thread_local CQUIC_forged_packets forged_packets;
static _Thread_local uint8_t forged_bits;
static _Thread_local int is_forged;

void CQUIC_forge_frames(const uint8_t *frames, size_t length, CQUIC_forged_packets packets) {
  forged_frames = frames;
  forged_length = length;
  forged_packets = packets;
  forged_bits = 0;
  is_forged = 0;
}

void CQUIC_forge_bits(uint8_t bits) { forged_bits = bits; }

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
  return CQUIC_observed_encrypt(dest, aead, aead_ctx, plaintext, plaintext_length, nonce,
                                nonce_length, header, header_length);
}
