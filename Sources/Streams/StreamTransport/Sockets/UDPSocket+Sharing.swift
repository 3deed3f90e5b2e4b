import CLinux
package import HTTP3Engine

/// Sockets that share an address, one for each loop of a server.
extension UDPSocket {
  /// Lets sockets that are made later join this one at its address (SO_REUSEPORT).
  package func share() throws(SystemError) {
    let answer = clinux_udp_share(number)
    guard answer >= 0 else { throw SystemError("setsockopt(SO_REUSEPORT)", answer: answer) }
  }

  /// Has the kernel give each datagram for the address to the socket at the index that the rule names, in the order in which
  /// they joined; without it, and where there is no such index, it is a matter of the sender's address.
  ///
  /// One call is for all sockets at the address, of which there have to be two. When one of them is closed the last takes its
  /// index.
  package func steer(_ steering: LoopSteering) throws(SystemError) {
    var system = clinux_steering(
      short_offset: UInt32(LoopSteering.shortOffset), long_offset: UInt32(LoopSteering.longOffset),
      multiplier: steering.multiplier, count: UInt32(steering.loopCount))
    let answer = clinux_udp_steer(number, &system)
    guard answer >= 0 else { throw SystemError("setsockopt(SO_ATTACH_REUSEPORT_CBPF)", answer: answer) }
  }
}
