import CQUIC

/// The tokens by which a peer knows that we have forgotten a connection (RFC 9000 § 10.3).
enum StatelessResetToken {
  /// Writes the token of a connection id; false where it cannot be made.
  static func write(
    _ tokens: OwnConnectionIDs.TokenSource, of id: UnsafePointer<ngtcp2_cid>, to token: UnsafeMutablePointer<UInt8>?,
    random: RandomSource
  ) -> Bool {
    switch tokens {
    case .random:
      random.fill(UnsafeMutableRawBufferPointer(start: token, count: Int(NGTCP2_STATELESS_RESET_TOKENLEN)))
      return true
    case .derived(let secret):
      return ngtcp2_crypto_generate_stateless_reset_token(token, secret, secret.count, id) == 0
    }
  }
}
