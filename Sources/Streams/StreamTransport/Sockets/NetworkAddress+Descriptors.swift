import CLinux
package import HTTP3Engine

/// Addresses of descriptors that others have opened.
///
/// In C, because a Swift file that names a member of `sockaddr_in` has to import the module that the compiler found it in,
/// and that changes with what else is compiled: Glibc's or one of NIO's.
extension NetworkAddress {
  /// The address that the descriptor is bound to; nil if it is no socket of IP's.
  package static func local(of descriptor: CInt) -> NetworkAddress? {
    var address = clinux_address()
    return clinux_local_address(descriptor, &address) == 0 ? NetworkAddress(address) : nil
  }

  /// The address that the descriptor is connected to; nil if it is not connected, or no socket of IP's.
  package static func peer(of descriptor: CInt) -> NetworkAddress? {
    var address = clinux_address()
    return clinux_peer_address(descriptor, &address) == 0 ? NetworkAddress(address) : nil
  }

  /// Binds a socket of this address's family. Throws ``SystemError``.
  package func bind(_ descriptor: CInt) throws(SystemError) {
    var address = system
    let answer = clinux_bind(descriptor, &address)
    guard answer == 0 else { throw SystemError("bind", answer: answer) }
  }

  /// Connects a socket of this address's family. Throws ``SystemError``.
  package func connect(_ descriptor: CInt) throws(SystemError) {
    var address = system
    let answer = clinux_connect(descriptor, &address)
    guard answer == 0 else { throw SystemError("connect", answer: answer) }
  }
}
