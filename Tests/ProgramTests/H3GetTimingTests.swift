import Foundation
import HTTPTypes
import Logging
import StreamTransport
import Subprocess
import Testing

/// What `h3get --timing` tells, with a server of the test's own.
@Suite(.timeLimit(.minutes(1)))
struct H3GetTimingTests {
  private static let keys: Set<String> = [
    "handshake_ms", "first_byte_ms", "total_ms", "bytes", "interim", "trailers", "transport", "cipher", "resumption",
    "reason", "rtt_ms", "min_rtt_ms", "congestion_window", "packets_sent", "packets_received", "bytes_sent",
    "bytes_received",
  ]

  private func timing(_ outcome: BuiltProgram.Outcome) throws -> [String: Any] {
    let line = try #require(outcome.error.split(separator: "\n").last, "\(outcome.error)")
    return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }

  @Test func timingTellsTheConnectionInterimResponsesAndTrailers() async throws {
    let name = try #require(HTTPField.Name("x-digest"))
    let certificate = try DevelopmentCertificate.make()
    let file = FileManager.default.temporaryDirectory.appending(path: "h3get-test-\(UUID().uuidString).pem")
    try Data(certificate.certificatePEM.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let server = HTTP3Server(
      HTTP3ServerConfiguration(
        address: "127.0.0.1", port: 0, certificatePEM: certificate.certificatePEM,
        privateKeyPEM: certificate.privateKeyPEM), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) { exchange in
      try? await exchange.sendInformational(HTTPResponse(status: .init(code: 103)))
      try? await exchange.respond(HTTPResponse(status: .ok))
      try? await exchange.write(Array("hello".utf8))
      try? await exchange.finish(trailers: [name: "a", name: "b"])
    }
    let port = try await server.start()
    let outcome = try await BuiltProgram(name: "h3get").run(
      ["https://127.0.0.1:\(port)/", "--timing", "--ca-file", file.path])
    await server.close()
    #expect(outcome.status == .exited(0), "\(outcome.error)")
    #expect(outcome.output == "hello")
    let timing = try timing(outcome)
    #expect(Set(timing.keys) == Self.keys)
    #expect(timing["bytes"] as? Int == 5)
    #expect(timing["interim"] as? [Int] == [103])
    #expect(timing["trailers"] as? [String: String] == ["x-digest": "a, b"])
    #expect(timing["transport"] as? String == "h3")
    #expect(timing["resumption"] as? String == "none")
    #expect(timing["reason"] is NSNull)
    for key in ["packets_sent", "packets_received", "congestion_window"] {
      #expect((timing[key] as? Int ?? 0) > 0, "\(key)")
    }
    // A client's first datagram alone is that large (RFC 9000 § 14.1).
    for key in ["bytes_sent", "bytes_received"] { #expect((timing[key] as? Int ?? 0) >= 1_200, "\(key)") }
    let (smallest, smoothed) = (timing["min_rtt_ms"] as? Double ?? 0, timing["rtt_ms"] as? Double ?? 0)
    #expect(smallest > 0 && smoothed > 0)
  }

  @Test func unknownFiguresAreNull() async throws {
    let outcome = try await BuiltProgram(name: "h3get").run(["https://127.0.0.1:9/", "--timing"])
    #expect(outcome.status == .exited(3))
    let timing = try timing(outcome)
    #expect(Set(timing.keys) == Self.keys)
    #expect(timing.filter { !($0.value is NSNull) }.keys.sorted() == ["total_ms"])
  }
}
