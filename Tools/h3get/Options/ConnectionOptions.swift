import ArgumentParser
import Glibc
import Logging
import StreamTransport

/// The options for reaching the server, and for trust.
struct ConnectionOptions: ParsableArguments {
  @Flag(
    name: .customLong("http3-only"),
    help: "HTTP/3 only: no HTTP/1.1 where UDP does not pass or HTTPS_PROXY names a proxy.")
  var isHTTP3Only = false

  @Flag(
    name: .customLong("0rtt"),
    help: """
      Use the session tickets in the state folder, sending safe requests beside the handshake (0-RTT), and keep new \
      tickets there.
      """)
  var usesTickets = false

  @Flag(name: .customLong("v2"), help: "Speak QUIC version 2 (RFC 9369) and no other; with HTTP/3 only.")
  var speaksVersion2 = false

  @Flag(
    name: .customLong("key-update"),
    help: "Send with new keys from the first response on (RFC 9001 § 6); with HTTP/3 only.")
  var updatesKeys = false

  @Flag(
    name: .customLong("repeats"),
    help: "Ask the server to repeat the content of every thin response beside its stream, not of event streams alone.")
  var asksForRepeats = false

  @Option(
    name: .customLong("hedge"),
    help: ArgumentHelp(
      "Ask for repeats in packets of their own, too, this long after what they repeat: 1 to 1000.",
      valueName: "milliseconds"))
  var hedge: Int?

  @Option(help: ArgumentHelp("Trust the authorities in this PEM file and no others.", valueName: "file"))
  var caFile: String?

  @Option(
    help: ArgumentHelp(
      "Trust exactly the certificate with this SHA-256, in hexadecimal digits with or without colons.",
      valueName: "sha256"),
    transform: Self.pinned)
  var pin: TLSOptions.Trust?

  @Option(
    help: ArgumentHelp("Show this certificate chain, PEM, to a server that asks for one.", valueName: "file"))
  var certificate: String?

  @Option(help: ArgumentHelp("The private key, PEM, of --certificate.", valueName: "file"))
  var privateKey: String?

  @Option(
    name: .customLong("keylog"),
    help: ArgumentHelp("Append TLS secrets to this file (the format of SSLKEYLOGFILE).", valueName: "file"))
  var keyLog: String?

  @Option(help: ArgumentHelp("Write the connection's events to this directory, for qvis.", valueName: "dir"))
  var qlog: String?

  @Option(
    help: ArgumentHelp(
      "Give up on a URL after this long; with --events, if the response has not begun by then.",
      valueName: "seconds"))
  var timeout = 30.0

  func validate() throws {
    guard caFile == nil || pin == nil else { throw ValidationError("Give --ca-file or --pin, not both.") }
    guard (certificate == nil) == (privateKey == nil) else {
      throw ValidationError("--certificate and --private-key go together.")
    }
    guard hedge.map({ (1...1_000).contains($0) }) ?? true else {
      throw ValidationError("--hedge takes a whole number of milliseconds from 1 to 1000.")
    }
    guard timeout > 0, timeout < 1e6 else {
      throw ValidationError("--timeout takes a number of seconds above 0 and below 1000000.")
    }
  }

  /// Not in `validate()`, for the reason given at `H3Get.target()`: what another option's value names need not be there.
  func checkFiles() throws {
    for file in [caFile, certificate, privateKey].compactMap({ $0 }) where access(file, R_OK) != 0 {
      throw ValidationError("The certificates in '\(file)' can't be read: \(String(cString: strerror(errno))).")
    }
    guard let keyLog else { return }
    do { _ = try KeyLog(path: keyLog) } catch { throw ValidationError(error.message) }
  }

  var allowsHTTP1: Bool { !isHTTP3Only && !speaksVersion2 && !updatesKeys }

  var trust: TLSOptions.Trust {
    if let pin { return pin }
    return caFile.map { .certificateFile($0) } ?? .system
  }

  var identity: ClientIdentity? {
    guard let certificate, let privateKey else { return nil }
    return .files(certificateChain: certificate, privateKey: privateKey)
  }

  /// The transport, and what of it is HTTP/3.
  func transport(to origin: Origin) -> (any HTTPTransport, HTTP3Transport) {
    let tls = TLSOptions(trust: trust, keyLogFile: keyLog, identity: identity)
    // What is logged as an error is about what was asked for and is not done.
    var logger = Logger(label: "h3get") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .error
    var configuration = HTTP3TransportConfiguration()
    configuration.connectTimeout = min(configuration.connectTimeout, .seconds(timeout))
    configuration.qlogDirectory = qlog
    configuration.speaksQUICVersion2Alone = speaksVersion2
    if asksForRepeats { configuration.repeatedResponses = .all }
    configuration.hedgeDelay = hedge.map { .milliseconds($0) }
    let http3 = HTTP3Transport(
      origin: origin, tls: tls, logger: logger, configuration: configuration,
      resumption: usesTickets ? ResumptionStore(file: ResumptionStore.standardPath, logger: logger) : ResumptionStore())
    guard allowsHTTP1 else { return (http3, http3) }
    let http1 = HTTP1Transport(origin: origin, tls: tls, proxies: .environment, logger: logger)
    let race = RacingTransport(
      http3: http3, http1: http1, memory: OriginStore(file: OriginStore.standardPath, logger: logger), logger: logger)
    return (race, http3)
  }

  private static func pinned(_ text: String) throws -> TLSOptions.Trust {
    guard let trust = TLSOptions.Trust(pinnedDigits: text) else {
      throw ValidationError("--pin takes a SHA-256: 64 hexadecimal digits, with or without colons.")
    }
    return trust
  }
}
