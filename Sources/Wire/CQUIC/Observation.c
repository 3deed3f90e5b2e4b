#include "CQUIC.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

static _Thread_local CQUIC_packet_observer packet_observer;
static _Thread_local void *packet_context;

void CQUIC_observe_packets(CQUIC_packet_observer observer, void *context) {
  packet_observer = observer;
  packet_context = context;
}

static _Thread_local CQUIC_packet_guard packet_guard;
static _Thread_local void *guard_context;

void CQUIC_guard_packets(CQUIC_packet_guard guard, void *context) {
  packet_guard = guard;
  guard_context = context;
}

static _Thread_local uint32_t sealed_number;
static _Thread_local uint8_t sealed_length;

uint32_t CQUIC_sealed_number(uint8_t *length) {
  *length = sealed_length;
  return sealed_number;
}

// A header without protection ends in its packet's number, whose length its first byte has (RFC 9000 § 17.2, 17.3.1).
static void note_number(const uint8_t *header, size_t header_length) {
  sealed_length = (header[0] & 3) + 1;
  if (header_length <= sealed_length) return;
  sealed_number = 0;
  for (size_t i = header_length - sealed_length; i < header_length; i++) sealed_number = sealed_number << 8 | header[i];
}

int CQUIC_observed_encrypt(uint8_t *dest, const ngtcp2_crypto_aead *aead,
                           const ngtcp2_crypto_aead_ctx *aead_ctx, const uint8_t *plaintext,
                           size_t plaintext_length, const uint8_t *nonce, size_t nonce_length,
                           const uint8_t *header, size_t header_length) {
  // Before sealing, which may be in place. The integrity tag of a Retry (RFC 9001 § 5.8) passes here too: without a
  // plaintext, which no packet is (RFC 9000 § 12.4).
  if (plaintext_length > 0 && header_length > 0) note_number(header, header_length);
  if (packet_observer && plaintext_length > 0) {
    packet_observer(packet_context, CQUIC_PACKET_SEALED, header, header_length, plaintext,
                    plaintext_length, aead->max_overhead);
  }
  return ngtcp2_crypto_encrypt_cb(dest, aead, aead_ctx, plaintext, plaintext_length, nonce,
                                  nonce_length, header, header_length);
}

int CQUIC_guarded_decrypt(uint8_t *dest, const ngtcp2_crypto_aead *aead,
                          const ngtcp2_crypto_aead_ctx *aead_ctx, const uint8_t *ciphertext,
                          size_t ciphertext_length, const uint8_t *nonce, size_t nonce_length,
                          const uint8_t *header, size_t header_length) {
  int result = ngtcp2_crypto_decrypt_cb(dest, aead, aead_ctx, ciphertext, ciphertext_length, nonce,
                                        nonce_length, header, header_length);
  size_t overhead = aead->max_overhead;
  size_t length = ciphertext_length > overhead ? ciphertext_length - overhead : 0;
  if (packet_observer) {
    packet_observer(packet_context, result == 0 ? CQUIC_PACKET_OPENED : CQUIC_PACKET_NOT_OPENED,
                    header, header_length, result == 0 ? dest : NULL, length, overhead);
  }
  if (result != 0 || !packet_guard || header_length == 0) return result;
  return packet_guard(guard_context, header, header_length, dest, length);
}

static _Atomic(CQUIC_log_observer) log_observer;

static void print_log(void *connection, const char *format, ...) {
  // A line for each frame, which the packets' observer has seen already; these formats alone name a frame's type so.
  if (strstr(format, "(0x%02")) return;
  CQUIC_log_observer observer = atomic_load_explicit(&log_observer, memory_order_relaxed);
  if (!observer) return;
  char line[256];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (length < 0) return;
  observer(connection, line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
}

// The library's writer of text is safe on hostile input, other than its writer of qlog (read in 1.11.0: lib/ngtcp2_log.c
// and the calls of ngtcp2_log_info). Lines are put together by vsnprintf in 4 096 bytes; the arrays beside it are as
// large as what is written into them can be: connection ids, which the decoders hold to 20 bytes, reset tokens, 64
// bytes of a NEW_TOKEN, 255 bytes of a reason phrase made printable, the 39 characters of an IPv6 address. Every string
// that is handed to a format ends in NUL.
void CQUIC_settings_observe_log(ngtcp2_settings *settings, CQUIC_log_observer observer) {
  atomic_store_explicit(&log_observer, observer, memory_order_relaxed);
  settings->log_printf = print_log;
}
