import Foundation
import Logging
import NIOSSL
import StreamTransport

extension ClientArm {
  /// The arm's client for a plan. Throws ``WorkloadError`` or ``StreamClientError`` for what the plan has wrong.
  func makeClient(_ plan: ClientPlan) throws -> any StreamClient {
    let logger = Logger(label: "client") { _ in SwiftLogNoOpLogHandler() }
    // Once for all arms, so that a wrong file is reported at once and not retried until the deadline.
    do {
      guard !(try NIOSSLCertificate.fromPEMFile(plan.authorityFile)).isEmpty else {
        throw StreamClientError("it holds no certificate.")
      }
    } catch {
      throw WorkloadError("authorityFile '\(plan.authorityFile)' is not a PEM file of certificates: \(error)")
    }
    if isHTTP2 {
      return try HTTP2Client(
        origin: plan.origin, authorityFile: plan.authorityFile, idleTimeout: plan.idleTimeout,
        replacesSilentConnections: self == .h2Ping)
    }
    guard let url = URL(string: plan.origin) else {
      throw WorkloadError("origin is '\(plan.origin)'; give one such as https://198.18.1.100:4433.")
    }
    let origin = try Origin(url)
    let tls = TLSOptions(trust: .certificateFile(plan.authorityFile))
    var http1 = HTTP1TransportConfiguration()
    // Every stream and every tool's result at the same time.
    http1.maximumRequests = 2 * Workload.Limits.streams
    func makeHTTP1() -> HTTP1Transport {
      HTTP1Transport(origin: origin, tls: tls, logger: logger, configuration: http1)
    }
    let store = ResumptionStore()
    var http3 = HTTP3TransportConfiguration()
    http3.sendsEarlyData = self != .h3Resumed
    http3.repeatedResponses = self == .h3Repeat || self == .h3Hedge ? .eventStreams : .none
    if self == .h3Stock || self == .h3RTT { http3.maximumAckDelay = StockRecovery.maximumAckDelay }
    if self == .h3Stock { http3.initialRoundTrip = StockRecovery.initialRoundTrip }
    http3.hedgeDelay = self == .h3Hedge ? .milliseconds(5) : nil
    func makeHTTP3() -> HTTP3Transport {
      HTTP3Transport(origin: origin, tls: tls, logger: logger, configuration: http3, resumption: store)
    }
    let transport: any HTTPTransport =
      switch self {
      case .h3, .h3Stock, .h3RTT, .h3Resumed, .h3ZeroRTT, .h3Repeat, .h3Hedge: makeHTTP3()
      case .auto: RacingTransport(http3: makeHTTP3(), http1: makeHTTP1(), logger: logger)
      case .h1, .h2, .h2Ping: makeHTTP1()
      }
    let earlier: TransportClient.EarlierConnection? =
      switch self {
      case .h3Resumed, .h3ZeroRTT: .init(transport: makeHTTP3(), store: store)
      case .h3, .h3Stock, .h3RTT, .h3Repeat, .h3Hedge, .h2, .h2Ping, .h1, .auto: nil
      }
    return TransportClient(
      transport, idleTimeout: plan.idleTimeout, earlier: earlier, connectsFirst: self != .h3ZeroRTT, logger: logger)
  }
}
