import ArgumentParser
import Logging
import StreamTransport

/// What `--transport` allows.
enum FetchTransport: String, CaseIterable, ExpressibleByArgument {
  /// HTTP/3 alone.
  case h3
  /// HTTP/1.1 where UDP does not pass.
  case auto

  /// For "no … connection".
  var name: String {
    switch self {
    case .h3: "HTTP/3 "
    case .auto: ""
    }
  }

  func make(
    _ origin: Origin, _ tls: TLSOptions, timeout: Duration, qlogDirectory: String?, resumes: Bool
  ) -> any HTTPTransport {
    // What is logged as an error is about what was asked for and is not done.
    var logger = Logger(label: "h3get") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .error
    var configuration = HTTP3TransportConfiguration()
    configuration.connectTimeout = min(configuration.connectTimeout, timeout)
    configuration.qlogDirectory = qlogDirectory
    let http3 = HTTP3Transport(
      origin: origin, tls: tls, logger: logger, configuration: configuration,
      resumption: resumes ? ResumptionStore(file: ResumptionStore.standardPath, logger: logger) : ResumptionStore())
    switch self {
    case .h3: return http3
    case .auto:
      let http1 = HTTP1Transport(origin: origin, tls: tls, proxies: .environment, logger: logger)
      return RacingTransport(
        http3: http3, http1: http1, memory: OriginStore(file: OriginStore.standardPath, logger: logger), logger: logger)
    }
  }
}
