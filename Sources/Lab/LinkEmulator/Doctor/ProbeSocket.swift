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
    try check("bind", withAddress(address, port) { answer(Glibc.bind(number, $0, $1)) })
  }

  package func connect(_ address: String, port: UInt16) throws(EmulatorError) {
    try check("connect", withAddress(address, port) { answer(Glibc.connect(number, $0, $1)) })
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

  private func withAddress(_ text: String, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt
  {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    guard inet_pton(AF_INET, text, &address.sin_addr) == 1 else { return -EINVAL }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
  }
}

private func answer(_ result: CInt) -> CInt { result < 0 ? -errno : result }
