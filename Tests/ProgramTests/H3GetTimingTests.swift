import Foundation
import HTTPTypes
import StreamTransport
import Subprocess
import Testing

/// The report of `h3get --timing`, with a server of the test's own.
@Suite(.timeLimit(.minutes(10)))
struct H3GetTimingTests {
  private static let keys: Set<String> = [
    "url", "status", "lookup_ms", "connect_ms", "handshake_ms", "first_byte_ms", "total_ms", "bytes", "interim",
    "trailers", "transport", "quic_version", "cipher", "resumption", "reason", "remote_address", "key_updated",
    "rtt_ms", "min_rtt_ms", "congestion_window", "packets_sent", "packets_received", "bytes_sent", "bytes_received",
    "events", "first_event_ms", "gap_median_ms", "gap_p99_ms",
  ]

  private func timing(_ outcome: BuiltProgram.Outcome) throws -> [String: Any] {
    let line = try #require(outcome.error.split(separator: "\n").last, "\(outcome.error)")
    return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }

  @Test func timingIncludesTheConnectionInterimResponsesAndTrailers() async throws {
    let name = try #require(HTTPField.Name("x-digest"))
    let outcome = try await H3GetServer.run { exchange in
      try? await exchange.sendInformational(HTTPResponse(status: .init(code: 103)))
      try? await exchange.respond(HTTPResponse(status: .ok))
      try? await exchange.write(Array("hello".utf8))
      try? await exchange.finish(trailers: [name: "a", name: "b"])
    } body: { server in
      try await server.h3get(["--http3-only", "--timing"], ["/hello?x=1"])
    }
    #expect(outcome.status == .exited(0), "\(outcome.error)")
    #expect(outcome.output == "hello")
    let timing = try timing(outcome)
    #expect(Set(timing.keys) == Self.keys)
    #expect(timing["bytes"] as? Int == 5)
    #expect(timing["interim"] as? [Int] == [103])
    #expect(timing["trailers"] as? [String: String] == ["x-digest": "a, b"])
    #expect(timing["transport"] as? String == "h3")
    #expect(timing["resumption"] as? String == "none")
    #expect(timing["reason"] is NSNull && timing["key_updated"] is NSNull && timing["events"] is NSNull)
    #expect(timing["status"] as? Int == 200)
    #expect(timing["quic_version"] as? Int == 1)
    #expect((timing["url"] as? String)?.hasSuffix("/hello?x=1") == true)
    #expect((timing["remote_address"] as? String)?.hasPrefix("127.0.0.1:") == true)
    let (lookup, connect) = (timing["lookup_ms"] as? Double ?? -1, timing["connect_ms"] as? Double ?? -1)
    let (handshake, firstByte) = (timing["handshake_ms"] as? Double ?? -1, timing["first_byte_ms"] as? Double ?? -1)
    #expect(lookup >= 0 && handshake > 0 && connect >= lookup + handshake && firstByte > handshake)
    for key in ["packets_sent", "packets_received", "congestion_window"] {
      #expect((timing[key] as? Int ?? 0) > 0, "\(key)")
    }
    // A client's first datagram alone is that large (RFC 9000 § 14.1).
    for key in ["bytes_sent", "bytes_received"] { #expect((timing[key] as? Int ?? 0) >= 1_200, "\(key)") }
    let (smallest, smoothed) = (timing["min_rtt_ms"] as? Double ?? 0, timing["rtt_ms"] as? Double ?? 0)
    #expect(smallest > 0 && smoothed > 0)
  }

  @Test func unknownFiguresAreNull() async throws {
    let outcome = try await BuiltProgram(name: "h3get").run(["--http3-only", "https://127.0.0.1:9/", "--timing"])
    #expect(outcome.status == .exited(3))
    let timing = try timing(outcome)
    #expect(Set(timing.keys) == Self.keys)
    #expect(timing.filter { !($0.value is NSNull) }.keys.sorted() == ["total_ms", "url"])
  }
}
