import CQUIC

extension NetworkAddress {
  var cAddress: CQUIC_address {
    var address = CQUIC_address()
    address.port = port
    withUnsafeMutableBytes(of: &address.ip) { bytes in
      switch ip {
      case .v4(let value):
        bytes.storeBytes(of: value.bigEndian, as: UInt32.self)
      case .v6(let high, let low, _):
        bytes.storeBytes(of: high.bigEndian, as: UInt64.self)
        bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
      }
    }
    if case .v6(_, _, let scope) = ip {
      address.is_ipv6 = 1
      address.scope = scope
    }
    return address
  }

  init(_ address: CQUIC_address) {
    let ip = withUnsafeBytes(of: address.ip) { bytes in
      address.is_ipv6 == 0
        ? IP.v4(UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self)))
        : IP.v6(
          UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
          UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
          scope: address.scope)
    }
    self.init(ip: ip, port: address.port)
  }
}

extension NetworkPath {
  /// Lends the path in ngtcp2's form, valid for the call only, with the peer at `host`, which the library gives back with
  /// the path (``host(in:)``) and ``init(_:)`` undoes.
  func withCPath<Result>(
    host: ClientAddresses.Host = 0, _ body: (UnsafePointer<ngtcp2_path>) -> Result
  ) -> Result {
    var storage = ngtcp2_path_storage()
    return withUnsafeMutablePointer(to: &storage) { pointer in
      store(in: pointer, host: host)
      // The path's own pointers aim into `storage`, so it is read in place and not copied out.
      return body(UnsafeRawPointer(pointer).assumingMemoryBound(to: ngtcp2_path.self))
    }
  }

  func store(in storage: UnsafeMutablePointer<ngtcp2_path_storage>, host: ClientAddresses.Host) {
    var local = self.local.cAddress
    var remote = self.remote.at(host).cAddress
    CQUIC_path_store(storage, &local, &remote)
    storage.pointee.path.user_data = UnsafeMutableRawPointer(bitPattern: UInt(host))
  }

  /// Writes the path into one that has its storage.
  func fill(_ path: UnsafeMutablePointer<ngtcp2_path>) {
    var local = local.cAddress
    var remote = remote.cAddress
    CQUIC_path_fill(path, &local, &remote)
  }

  init(_ path: ngtcp2_path) {
    var local = CQUIC_address()
    var remote = CQUIC_address()
    CQUIC_address_load(&local, path.local.addr)
    CQUIC_address_load(&remote, path.remote.addr)
    self.init(local: NetworkAddress(local), remote: NetworkAddress(remote).at(Self.host(in: path)))
  }

  /// The host that the library sees; a number in the pointer's place, which nobody follows.
  static func host(in path: ngtcp2_path) -> ClientAddresses.Host {
    ClientAddresses.Host(truncatingIfNeeded: UInt(bitPattern: path.user_data))
  }
}
