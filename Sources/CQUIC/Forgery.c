#include "CQUIC.h"

static _Thread_local const uint8_t *forged_frames;
static _Thread_local size_t forged_length;
static _Thread_local int is_forged;

void CQUIC_forge_frames(const uint8_t *frames, size_t length) {
  forged_frames = frames;
  forged_length = length;
  is_forged = 0;
}

int CQUIC_forged(void) { return is_forged; }

int CQUIC_forging_encrypt(uint8_t *dest, const ngtcp2_crypto_aead *aead,
                          const ngtcp2_crypto_aead_ctx *aead_ctx, const uint8_t *plaintext,
                          size_t plaintext_length, const uint8_t *nonce, size_t nonce_length,
                          const uint8_t *header, size_t header_length) {
  uint8_t forgery[2048];
  // A short header; the others hold the handshake.
  int has_room = forged_frames && forged_length <= plaintext_length &&
                 plaintext_length <= sizeof forgery && header_length > 0 && !(header[0] & 0x80);
  if (has_room) {
    memcpy(forgery, forged_frames, forged_length);
    memset(forgery + forged_length, 0, plaintext_length - forged_length);
    plaintext = forgery;
    is_forged = 1;
  }
  return CQUIC_observed_encrypt(dest, aead, aead_ctx, plaintext, plaintext_length, nonce,
                                nonce_length, header, header_length);
}
