import ArgumentParser
import Foundation
import Glibc
import Logging
import StreamTransport

@main
struct H3Get: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "h3get",
    abstract: "Fetches one URL over HTTP/3.",
    discussion: """
      The body goes to standard output, everything else to standard error.

      Exit codes: 0 done; 1 the server answered with a status of 400 or above (its body is still written), or the \
      transfer broke off; 2 usage; 3 no connection; 4 the server's certificate was not accepted.
      """)

  @Argument(help: "An https URL.")
  var url: String

  @Option(help: ArgumentHelp("Trust the authorities in this PEM file and no others.", valueName: "file"))
  var caFile: String?

  @Option(
    help: ArgumentHelp(
      "Trust exactly the certificate with this SHA-256, in hexadecimal digits with or without colons.",
      valueName: "sha256"))
  var pin: String?

  @Flag(
    help: """
      Write one JSON object to standard error at the end: handshake_ms, first_byte_ms, total_ms, bytes, interim (the \
      statuses of 1xx responses), trailers, transport, cipher, resumption, reason, rtt_ms, min_rtt_ms, \
      congestion_window, packets_sent, packets_received, bytes_sent, bytes_received; null where unknown.
      """)
  var timing = false

  @Option(help: "h3: HTTP/3 alone; auto: HTTP/1.1 where UDP does not pass or HTTPS_PROXY names a proxy.")
  var transport: FetchTransport = .h3

  @Flag(help: "Use the session tickets in the state folder, with early data, and keep new ones there.")
  var resume = false

  @Option(help: ArgumentHelp("Append TLS secrets to this file (the format of SSLKEYLOGFILE).", valueName: "file"))
  var keyLog: String?

  @Option(help: ArgumentHelp("Write the connection's events to this directory, for qvis.", valueName: "dir"))
  var qlog: String?

  @Option(help: ArgumentHelp("Give up after this long.", valueName: "seconds"))
  var timeout = 30.0

  func validate() throws {
    _ = try target()
    _ = try trust()
    guard timeout > 0, timeout < 1e6 else { throw ValidationError("--timeout takes a number of seconds above 0.") }
  }

  func run() async throws {
    let (origin, path) = try target()
    let fetch = Fetch(
      origin: origin, path: path, tls: TLSOptions(trust: try trust(), keyLogFile: keyLog), transport: transport,
      qlogDirectory: qlog, resumes: resume,
      timeout: .seconds(timeout))
    let outcome = await fetch.run { try FileHandle.standardOutput.write(contentsOf: Data($0)) }
    if let message = outcome.message { StandardError.write("h3get: \(message)") }
    if timing { StandardError.write(outcome.report.json) }
    if outcome.exitCode != 0 { throw ExitCode(outcome.exitCode) }
  }

  private func target() throws -> (Origin, String) {
    guard let parsed = URL(string: url), var parts = URLComponents(url: parsed, resolvingAgainstBaseURL: true) else {
      throw ValidationError("'\(url)' is no URL.")
    }
    let origin: Origin
    do {
      origin = try Origin(parsed)
    } catch {
      throw ValidationError(error.message)
    }
    guard origin.scheme == .https else { throw ValidationError("HTTP/3 is always encrypted; give an https URL.") }
    (parts.scheme, parts.host, parts.port, parts.user, parts.password, parts.fragment) = (nil, nil, nil, nil, nil, nil)
    let path = parts.string ?? "/"
    return (origin, path.hasPrefix("/") ? path : "/\(path)")
  }

  private func trust() throws -> TLSOptions.Trust {
    switch (caFile, pin) {
    case (nil, nil): return .system
    case (let file?, nil): return .certificateFile(file)
    case (nil, let pin?):
      let digits = pin.filter { $0 != ":" }
      let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { index in
        UInt8(digits.dropFirst(index).prefix(2), radix: 16)
      }
      guard digits.count == 64, bytes.count == 32 else {
        throw ValidationError("--pin takes a SHA-256: 64 hexadecimal digits, with or without colons.")
      }
      return .pinned(sha256: bytes)
    case (.some, .some): throw ValidationError("Give --ca-file or --pin, not both.")
    }
  }

  /// Maps the parser's own exit code for wrong usage (64) to 2, as the other programs have it.
  static func main() async {
    do {
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let code as ExitCode {
      Glibc.exit(code.rawValue)
    } catch {
      let code = exitCode(for: error)
      let message = fullMessage(for: error)
      guard code != .success else {
        print(message)
        Glibc.exit(0)
      }
      StandardError.write(message)
      Glibc.exit(code == .validationFailure ? 2 : 1)
    }
  }
}

enum StandardError {
  static func write(_ line: String) {
    // Nobody can be told when standard error itself is gone.
    try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
  }
}
