import HTTP3Engine
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// The words and codes for what SwiftNIO reports.
extension TransportError {
  /// The reason for which no connection could be made.
  init(connecting error: any Error, to origin: Origin) {
    switch error {
    case let error as TransportError: self = error
    case let error as NIOConnectionError:
      if let attempt = error.connectionErrors.first {
        self.init(connecting: attempt.error, to: origin)
      } else if let lookUp = (error.dnsAAAAError ?? error.dnsAError) as? TransportError {
        self = lookUp
        return
      } else {
        self.init(
          .nameNotFound, "The name '\(origin.host)' has no address; check the spelling and the network.")
      }
      cause = error
    case is SocketAddressError.UnknownHost:
      self.init(
        .nameNotFound, "The name '\(origin.host)' has no address; check the spelling and the network.", cause: error)
    case ChannelError.connectTimeout:
      self = .connectTimeout(origin)
    case let error as IOError where error.errnoCode == ECONNREFUSED:
      self.init(.connectionRefused, "Nothing listens at \(origin.authority).", cause: error)
    case let error as IOError where error.errnoCode == ETIMEDOUT:
      self = .connectTimeout(origin)
    case let error as IOError where [EPERM, EACCES].contains(error.errnoCode):
      self.init(.connectionRefused, "A firewall here forbids connections to \(origin.authority).", cause: error)
    case let error as IOError where [ENETUNREACH, EHOSTUNREACH, ENETDOWN].contains(error.errnoCode):
      self.init(.unreachable, "\(origin.authority) cannot be reached from this network.", cause: error)
    default:
      self.init(exchanging: error, with: origin)
    }
  }

  static func connectTimeout(_ origin: Origin) -> TransportError {
    TransportError(.connectTimeout, "\(origin.authority) did not answer in time.")
  }

  /// The reason for a connection's break.
  init(exchanging error: any Error, with origin: Origin) {
    switch error {
    case let error as TransportError: self = error
    case let error as HTTP3Error where error.code == .certificateRejected:
      self.init(.certificateRejected, error.message, cause: error)
    case NIOSSLError.uncleanShutdown:
      self.init(.connectionLost, "The connection to \(origin.authority) was cut.", cause: error)
    case NIOSSLError.handshakeFailed(.sslError(let stack)) where stack.contains(.eofDuringHandshake):
      self.init(.tls, "\(origin.authority) hung up during the TLS handshake.", cause: error)
    // The alert's name is in its text alone.
    case is BoringSSLError where "\(error)".contains("ALERT_CERTIFICATE_REQUIRED"):
      self.init(
        .tls, "\(origin.authority) requires a certificate of its clients; give one and its key.", cause: error)
    case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
      self.init(
        .tls, "TLS with \(origin.authority) failed: \(error). Is it an https server?", cause: error)
    case HTTPParserError.headerOverflow:
      self.init(.limitExceeded, "The response's fields are larger than the limit.", cause: error)
    case HTTPParserError.invalidEOFState:
      self.init(
        .connectionLost, "The connection to \(origin.authority) ended in the middle of a response.", cause: error)
    case is HTTPParserError, is NIOHTTPDecoderError, is ByteToMessageDecoderError:
      self.init(.protocolViolation, "\(origin.authority) sent what is no HTTP/1.1: \(error).", cause: error)
    default:
      self.init(.connectionLost, "The connection to \(origin.authority) was lost: \(error).", cause: error)
    }
  }

  static func closedByCaller() -> TransportError {
    TransportError(.cancelled, "The transport was closed.")
  }
}
