import HTTP3Engine
import StreamTransport
import Testing

@Suite struct NameResolverTests {
  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1:443"), ("::1", "[::1]:443"), ("2001:db8::7", "[2001:db8:0:0:0:0:0:7]:443"),
    ("::ffff:192.0.2.9", "192.0.2.9:443"),
  ])
  func readsLiterals(literal: String, expected: String) async throws {
    let found = try await NameResolver.resolve(literal, port: 443, timeout: .seconds(10))
    #expect(found.map(\.description) == [expected])
  }

  @Test(.timeLimit(.minutes(1))) func localhostIsThisMachine() async throws {
    let found = try await NameResolver.resolve("localhost", port: 9, timeout: .seconds(10))
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { $0.isLoopback && $0.port == 9 })
  }

  @Test(.timeLimit(.minutes(1))) func aNameWithoutAddressIsAnError() async throws {
    let code = try await failureCode { _ = try await NameResolver.resolve("a..b", port: 9, timeout: .seconds(10)) }
    #expect(code == .nameNotFound)
  }

  @Test(.timeLimit(.minutes(1))) func cancellingEndsTheWait() async throws {
    let lookUp = Task { try await NameResolver.resolve("localhost", port: 9, timeout: .seconds(10)) }
    lookUp.cancel()
    // It may have been faster than the cancellation.
    let code = try await failureCode { _ = try await lookUp.value }
    #expect(code == nil || code == .cancelled)
  }

  @Test func familiesTakeTurns() {
    func v4(_ number: UInt32) -> NetworkAddress { NetworkAddress(ip: .v4(number), port: 1) }
    func v6(_ number: UInt64) -> NetworkAddress { NetworkAddress(ip: .v6(0, number, scope: 0), port: 1) }
    #expect(NameResolver.interleave([]) == [])
    #expect(NameResolver.interleave([v6(1), v6(2), v4(3), v4(4)]) == [v6(1), v4(3), v6(2), v4(4)])
    #expect(NameResolver.interleave([v4(1), v6(2), v6(3), v6(4)]) == [v4(1), v6(2), v6(3), v6(4)])
  }
}
