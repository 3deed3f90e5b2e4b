import CQUIC

/// AES-128 of single blocks (FIPS 197), as GnuTLS has it: the first block of CBC with an initial vector of zeros.
struct BlockCipher: ~Copyable {
  static let keyLength = 16
  private static let blockLength = 16

  private let handle: gnutls_cipher_hd_t?

  /// Throws where GnuTLS cannot, as for a key of another length.
  init(key: [UInt8]) throws(HTTP3Error) {
    var handle: gnutls_cipher_hd_t?
    let zeros = [UInt8](repeating: 0, count: Self.blockLength)
    let code = GnuTLS.withDatum(key) { key in
      GnuTLS.withDatum(zeros) { gnutls_cipher_init(&handle, GNUTLS_CIPHER_AES_128_CBC, key, $0) }
    }
    try GnuTLS.check(code, "Setting an AES key")
    self.handle = handle
  }

  deinit {
    gnutls_cipher_deinit(handle)
  }

  /// The cipher text of 16 bytes.
  func encrypt(_ block: [UInt8]) -> [UInt8] {
    var zeros = [UInt8](repeating: 0, count: Self.blockLength)
    gnutls_cipher_set_iv(handle, &zeros, zeros.count)
    return [UInt8](unsafeUninitializedCapacity: Self.blockLength) { buffer, initialized in
      buffer.initialize(repeating: 0)
      _ = gnutls_cipher_encrypt2(handle, block, block.count, buffer.baseAddress, buffer.count)
      initialized = Self.blockLength
    }
  }
}
