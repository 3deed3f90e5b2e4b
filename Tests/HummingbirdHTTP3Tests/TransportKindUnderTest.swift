import Logging
import StreamTransport
import TestSupport

/// The two transports that ask the server under test.
enum TransportKindUnderTest: String, CaseIterable, Sendable {
  case http3
  case http1

  func makeTransport(
    port: Int, certificatePEM: String, host: String = "localhost", identity: ClientIdentity? = nil
  ) -> any HTTPTransport {
    let origin = Origin(scheme: .https, host: host, port: port)
    let tls = TLSOptions(trust: .certificates(pem: certificatePEM), identity: identity)
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    return switch self {
    case .http3: HTTP3Transport(origin: origin, tls: tls, logger: logger, configuration: .patient)
    case .http1: HTTP1Transport(origin: origin, tls: tls, logger: logger, configuration: .patient)
    }
  }
}
