import CLinux
import Foundation

/// A blocking IPv4 socket for measuring; to be opened on a side's thread, used on any.
package final class ProbeSocket: Sendable {
  package enum Kind { case udp, tcp }

  package let number: CInt

  package init(_ kind: Kind) throws(EmulatorError) {
    let type = kind == .udp ? SOCK_DGRAM : SOCK_STREAM
    let flags = CInt(type.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    number = try check("socket", answer(socket(AF_INET, flags, 0)))
  }

  private init(accepting listener: ProbeSocket) throws(EmulatorError) {
    number = try check("accept", answer(Glibc.accept(listener.number, nil, nil)))
  }

  deinit { clinux_close(number) }

  package func bind(_ address: String, port: UInt16) throws(EmulatorError) {
    var address = try Self.address(address, port)
    try check("bind", clinux_bind(number, &address))
  }

  package func connect(_ address: String, port: UInt16) throws(EmulatorError) {
    var address = try Self.address(address, port)
    try check("connect", clinux_connect(number, &address))
  }

  package func listen() throws(EmulatorError) { try check("listen", answer(Glibc.listen(number, 1))) }

  package func accept() throws(EmulatorError) -> ProbeSocket { try ProbeSocket(accepting: self) }

  /// The time limit for reading and writing; afterwards they return a negative count.
  package func setTimeout(milliseconds: Int) throws(EmulatorError) {
    var time = timeval(tv_sec: milliseconds / 1_000, tv_usec: milliseconds % 1_000 * 1_000)
    let size = socklen_t(MemoryLayout<timeval>.size)
    try check("setsockopt", answer(setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &time, size)))
    try check("setsockopt", answer(setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &time, size)))
  }

  func setReceiveBuffer(bytes: CInt) {
    var bytes = bytes
    setsockopt(number, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<CInt>.size))
  }

  package func send(_ bytes: UnsafeRawBufferPointer) -> Int {
    Glibc.send(number, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL))
  }

  package func receive(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    recv(number, buffer.baseAddress, buffer.count, 0)
  }

  /// Shuts down both directions, so that blocked calls return.
  package func shutDown() { shutdown(number, CInt(SHUT_RDWR)) }

  /// The congestion control that this connection uses.
  package var congestionControl: String? {
    var name = [UInt8](repeating: 0, count: 16)
    var size = socklen_t(name.count)
    guard getsockopt(number, CInt(IPPROTO_TCP), TCP_CONGESTION, &name, &size) == 0 else { return nil }
    return String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
  }

  private static func address(_ literal: String, _ port: UInt16) throws(EmulatorError) -> clinux_address {
    var address = clinux_address()
    try check("getaddrinfo", clinux_read_literal(literal, port, &address) && address.family == 4 ? 0 : -EINVAL)
    return address
  }
}

private func answer(_ result: CInt) -> CInt { result < 0 ? -errno : result }
