import Foundation
import HTTP3Engine

/// Decides what an error of a connection's socket means.
///
/// While connecting it is the end, so that another way is tried at once. Later it is a rumour, which QUIC's own time-outs
/// decide on, unless refusals repeat with nothing received between them: one alone is too easily forged.
struct SocketErrors {
  enum Verdict {
    case ignore
    /// The error says more of this machine's network than of the server.
    case suspectNetworkChange
    case end(TransportError)
  }

  /// The number of refusals in a row after which an established connection counts as lost.
  static let refusalLimit = 3

  private var refusals = 0

  /// A datagram came from the server.
  mutating func received() {
    refusals = 0
  }

  /// - Parameter isOnCurrentPath: whether the socket is that of the path in use.
  mutating func judge(
    _ error: SystemError, sendingTo remote: NetworkAddress, isEstablished: Bool, isOnCurrentPath: Bool
  ) -> Verdict {
    guard isEstablished else { return .end(TransportError(error, sendingTo: remote)) }
    switch error.number {
    // EINVAL is Linux's answer where the source address is not this machine's any more.
    case ENETUNREACH, ENETDOWN, EHOSTUNREACH, EADDRNOTAVAIL, ENODEV, EINVAL: return .suspectNetworkChange
    case ECONNREFUSED where isOnCurrentPath:
      refusals += 1
      guard refusals >= Self.refusalLimit else { return .ignore }
      return .end(TransportError(.connectionLost, "The server at \(remote) is gone.", cause: error))
    default: return .ignore
    }
  }
}
