import CQUIC

/// Datagrams that answer a client's first packet and belong to no connection.
package enum ForgedDatagram {
  /// Retry with a valid integrity tag, made by hand, since the library writes none without a token (RFC 9000 § 17.2.5).
  ///
  /// Nil if `initial` has no long header of version 1.
  package static func retry(to initial: [UInt8], source: [UInt8], token: [UInt8]) -> [UInt8]? {
    guard let (client, server) = ids(of: initial), source.count <= Int(NGTCP2_MAX_CIDLEN), token.count <= 512 else {
      return nil
    }
    let packet = [0xf0, 0, 0, 0, 1] + [UInt8(client.count)] + client + [UInt8(source.count)] + source + token
    return integrityTag([UInt8(server.count)] + server + packet).map { packet + $0 }
  }

  /// CONNECTION_CLOSE in an Initial, as of a server that keeps nothing of the client (RFC 9000 § 10.2.3).
  package static func close(to initial: [UInt8], _ code: QUICErrorCode) -> [UInt8]? {
    guard let (client, server) = ids(of: initial) else { return nil }
    var clientID = ngtcp2_cid(client)
    var serverID = ngtcp2_cid(server)
    let packet = [UInt8](unsafeUninitializedCapacity: 1_200) { buffer, initialized in
      initialized = max(
        0,
        ngtcp2_crypto_write_connection_close(
          buffer.baseAddress, 1_200, QUICVersion.v1.rawValue, &clientID, &serverID, code.rawValue, nil, 0))
    }
    return packet.isEmpty ? nil : packet
  }

  private static func ids(of initial: [UInt8]) -> (client: [UInt8], server: [UInt8])? {
    var header = ngtcp2_version_cid()
    guard ngtcp2_pkt_decode_version_cid(&header, initial, initial.count, ConnectionID.ownLength) == 0,
      header.version == QUICVersion.v1.rawValue
    else { return nil }
    return (
      Array(UnsafeBufferPointer(start: header.scid, count: header.scidlen)),
      Array(UnsafeBufferPointer(start: header.dcid, count: header.dcidlen))
    )
  }

  /// AES-128-GCM of nothing beside the pseudo-packet, with the key and nonce of RFC 9001 § 5.8.
  private static func integrityTag(_ pseudoPacket: [UInt8]) -> [UInt8]? {
    let key: [UInt8] = [
      0xbe, 0x0c, 0x69, 0x0b, 0x9f, 0x66, 0x57, 0x5a, 0x1d, 0x76, 0x6b, 0x54, 0xe3, 0x68, 0xc8, 0x4e,
    ]
    let nonce: [UInt8] = [0x46, 0x15, 0x99, 0xd3, 0x5d, 0x63, 0x2b, 0xf2, 0x23, 0x98, 0x25, 0xbb]
    var cipher: gnutls_aead_cipher_hd_t?
    guard GnuTLS.withDatum(key, { gnutls_aead_cipher_init(&cipher, GNUTLS_CIPHER_AES_128_GCM, $0) }) == 0 else {
      return nil
    }
    defer { gnutls_aead_cipher_deinit(cipher) }
    var tag = [UInt8](repeating: 0, count: 16)
    var length = tag.count
    let code = gnutls_aead_cipher_encrypt(
      cipher, nonce, nonce.count, pseudoPacket, pseudoPacket.count, tag.count, nonce, 0, &tag, &length)
    return code == 0 && length == tag.count ? tag : nil
  }
}

extension ngtcp2_cid {
  fileprivate init(_ bytes: [UInt8]) {
    self.init()
    ngtcp2_cid_init(&self, bytes, min(bytes.count, Int(NGTCP2_MAX_CIDLEN)))
  }
}
