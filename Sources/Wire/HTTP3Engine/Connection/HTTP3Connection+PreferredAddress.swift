import CQUIC

// A server may be met at one address and go on at another (RFC 9000 § 9.6), for one because the first is shared by many
// machines. The client tries it when the handshake is confirmed, and goes over if it answers.
extension HTTP3Connection {
  /// The server's address to go on at, of the family in use if it gave one; known at the handshake's end. A client's.
  ///
  /// An address of this machine counts only where the server is on it: others have no business there
  /// (RFC 9000 § 21.5.6).
  package var preferredAddress: NetworkAddress? {
    guard !isServer, let current = currentPath,
      let parameters = ngtcp2_conn_get_remote_transport_params(quic), parameters.pointee.preferred_addr_present != 0
    else { return nil }
    var v4 = CQUIC_address()
    var v6 = CQUIC_address()
    CQUIC_preferred_addresses(parameters, &v4, &v6)
    // A port of 0 stands for no address.
    let addresses = [NetworkAddress(v4), NetworkAddress(v6)]
      .filter { $0.port != 0 && (!$0.isOfThisMachine || current.remote.isOfThisMachine) }
    return addresses.first { $0.isIPv4 == current.remote.isIPv4 } ?? addresses.first
  }

  /// Goes over to the server's preferred address as soon as the handshake is confirmed; `path` leads there, and its socket
  /// is open. `pathValidated` or `pathValidationFailed` follows, with which the old path stays in use.
  package func usePreferredAddress(_ path: NetworkPath) {
    migration.prefer(path)
  }

  /// Fills the path that the library is to try; it stays as it is, which means none, if the owner gave none.
  func selectPreferredAddress(_ destination: UnsafeMutablePointer<ngtcp2_path>?) {
    guard let path = migration.preferred else { return }
    var local = path.local.cAddress
    var remote = path.remote.cAddress
    CQUIC_path_fill(destination, &local, &remote)
    qlog?.migrationChanged(.probing, path)
  }

  /// A server's offer in its transport parameters, with a connection id of its own.
  func offer(_ addresses: [NetworkAddress], in parameters: inout ngtcp2_transport_params, _ secrets: ServerSecrets) {
    let v4 = addresses.first { $0.isIPv4 }
    let v6 = addresses.first { !$0.isIPv4 }
    guard v4 != nil || v6 != nil else { return }
    var id = ngtcp2_cid.random(ConnectionID.ownLength, from: random)
    var v4Address = (v4 ?? NetworkAddress(ip: .v4(0), port: 0)).cAddress
    var v6Address = (v6 ?? NetworkAddress(ip: .v6(0, 0, scope: 0), port: 0)).cAddress
    CQUIC_offer_preferred_addresses(&parameters, &v4Address, &v6Address, &id)
    _ = withUnsafeMutableBytes(of: &parameters.preferred_addr.stateless_reset_token) {
      ngtcp2_crypto_generate_stateless_reset_token(
        $0.baseAddress?.assumingMemoryBound(to: UInt8.self), secrets.reset, secrets.reset.count, &id)
    }
    connectionIDChanges.append(.added(ConnectionID(id)))
  }
}
