import Glibc
import HTTP3Engine

/// A socket that takes a port of this machine for as long as it lives, and answers nothing of its own.
package final class BoundSocket: Sendable {
  package enum Kind: Sendable { case tcp, udp }

  package let descriptor: CInt
  package let port: UInt16

  /// Throws ``SystemError``.
  ///
  /// - Parameters:
  ///   - host: a numeric address of this machine.
  ///   - port: 0 takes a free one.
  package init(_ kind: Kind, at host: String = "127.0.0.1", port: UInt16 = 0) throws(SystemError) {
    guard let address = NetworkAddress(literal: host, port: port) else {
      throw SystemError("getaddrinfo", number: EINVAL)
    }
    // SOCK_STREAM, SOCK_DGRAM and SOCK_CLOEXEC of Linux: which module has their enum depends on what else is built.
    let type: CInt =
      switch kind {
      case .tcp: 1
      case .udp: 2
      }
    let closesOnExec: CInt = 0o2_000_000
    let descriptor = socket(address.isIPv4 ? AF_INET : AF_INET6, type | closesOnExec, 0)
    guard descriptor >= 0 else { throw SystemError("socket", number: errno) }
    if kind == .tcp {
      // As servers do: connections that ended a moment ago take no port.
      var yes: CInt = 1
      setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
    }
    do throws(SystemError) { try address.bind(descriptor) } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    self.port = NetworkAddress.local(of: descriptor)?.port ?? 0
  }

  deinit { close(descriptor) }

  /// Lets clients connect, so many of which wait for somebody who accepts them. Throws ``SystemError``.
  package func listen(queue: CInt) throws(SystemError) {
    guard Glibc.listen(descriptor, queue) == 0 else { throw SystemError("listen", number: errno) }
  }
}
