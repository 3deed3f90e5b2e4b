import Foundation
package import HTTP3Engine

extension TransportError {
  /// The reason for which the system would not carry packets to `address`.
  package init(_ error: SystemError, sendingTo address: NetworkAddress) {
    switch error.number {
    case ECONNREFUSED:
      self.init(.connectionRefused, "No server listens on UDP at \(address).", cause: error)
    case EPERM, EACCES:
      self.init(.connectionRefused, "A firewall here forbids UDP to \(address).", cause: error)
    case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EADDRNOTAVAIL, EAFNOSUPPORT:
      self.init(.unreachable, "\(address) cannot be reached from this network.", cause: error)
    case EMFILE, ENFILE, ENOBUFS, ENOMEM:
      self.init(.limitExceeded, "This machine or process has no room for another socket: \(error)", cause: error)
    default:
      self.init(.unreachable, "UDP to \(address) does not work: \(error)", cause: error)
    }
  }
}

/// The request did not leave, so it may go over another connection without the caller's notice.
struct UnsentRequest: Error {
  var reason: TransportError
}
