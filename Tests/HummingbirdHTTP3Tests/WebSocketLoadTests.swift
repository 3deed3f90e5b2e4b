import StreamTransport
import Testing

@testable import HummingbirdHTTP3

struct WebSocketLoadTests {
  private struct Broken: Error {}

  /// One client's place is another's where a server cannot tell the two apart.
  @Test(arguments: [
    ("192.0.2.1", "192.0.2.2", true), ("192.0.2.1", "::ffff:192.0.2.1", false), ("192.0.2.1", "192.0.2.1", false),
    ("2001:db8::1", "2001:db8:0:00ff::1", false), ("2001:db8::1", "2001:db8:0:0100::1", true),
  ]) func placesCountForWhereClientsComeFrom(_ first: String, _ second: String, _ isTaken: Bool) async throws {
    var limits = WebSocketLimits()
    limits.maximumConnectionsPerPrefix = 1
    let load = WebSocketLoad(limits)
    let prefixes = [first, second].map { SourcePrefix(literal: $0) }
    #expect(!prefixes.contains(nil))
    let wasTaken = try await load.holdingPlace(from: prefixes[0]) {
      do {
        return try await load.holdingPlace(from: prefixes[1]) { true }
      } catch is WebSocketRefusal {
        return false
      }
    }
    #expect(wasTaken == isTaken)
    // Both places are free again.
    for prefix in prefixes { try await load.holdingPlace(from: prefix) {} }
  }

  @Test func aPlaceIsGivenBackWhereItsHolderThrows() async throws {
    var limits = WebSocketLimits()
    limits.maximumConnections = 1
    let load = WebSocketLoad(limits)
    for _ in 0..<3 {
      await #expect(throws: Broken.self) { try await load.holdingPlace(from: nil) { throw Broken() } }
    }
    try await load.holdingPlace(from: nil) {
      await #expect(throws: WebSocketRefusal.self) { try await load.holdingPlace(from: nil) {} }
    }
  }
}
