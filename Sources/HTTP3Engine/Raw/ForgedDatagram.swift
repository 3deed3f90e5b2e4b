import CQUIC

/// Datagrams that answer a client's first packet and belong to no connection.
package enum ForgedDatagram {
  /// Retry with a valid integrity tag (RFC 9001 § 5.8); nil if `initial` has no long header of version 1, or without a
  /// token.
  package static func retry(to initial: [UInt8], source: [UInt8], token: [UInt8]) -> [UInt8]? {
    // The library aborts on none.
    guard !token.isEmpty, token.count <= 512 else { return nil }
    return write(to: initial) { buffer, capacity, client, server in
      var client = client
      var server = server
      var source = ngtcp2_cid(source)
      return ngtcp2_crypto_write_retry(
        buffer, capacity, QUICVersion.v1.rawValue, &client, &source, &server, token, token.count)
    }
  }

  /// CONNECTION_CLOSE in an Initial, as of a server that keeps nothing of the client (RFC 9000 § 10.2.3).
  package static func close(to initial: [UInt8], _ code: QUICErrorCode) -> [UInt8]? {
    write(to: initial) { buffer, capacity, client, server in
      var client = client
      var server = server
      return ngtcp2_crypto_write_connection_close(
        buffer, capacity, QUICVersion.v1.rawValue, &client, &server, code.rawValue, nil, 0)
    }
  }

  private static func write(
    to initial: [UInt8],
    _ body: (UnsafeMutablePointer<UInt8>?, Int, _ client: ngtcp2_cid, _ server: ngtcp2_cid) -> ngtcp2_ssize
  ) -> [UInt8]? {
    var header = ngtcp2_version_cid()
    guard ngtcp2_pkt_decode_version_cid(&header, initial, initial.count, ConnectionID.ownLength) == 0,
      header.version == QUICVersion.v1.rawValue
    else { return nil }
    let client = ngtcp2_cid(Array(UnsafeBufferPointer(start: header.scid, count: header.scidlen)))
    let server = ngtcp2_cid(Array(UnsafeBufferPointer(start: header.dcid, count: header.dcidlen)))
    let packet = [UInt8](unsafeUninitializedCapacity: 1_200) { buffer, initialized in
      initialized = max(0, body(buffer.baseAddress, 1_200, client, server))
    }
    return packet.isEmpty ? nil : packet
  }
}

extension ngtcp2_cid {
  fileprivate init(_ bytes: [UInt8]) {
    self.init()
    ngtcp2_cid_init(&self, bytes, min(bytes.count, Int(NGTCP2_MAX_CIDLEN)))
  }
}
