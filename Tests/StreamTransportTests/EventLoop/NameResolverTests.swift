import Dispatch
import HTTP3Engine
import StreamTransport
import Synchronization
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

  /// The first query is lost, the second is answered.
  @Test(.timeLimit(.minutes(1))) func oneAnswerServesAllWhoWaitForTheName() async throws {
    let address = NetworkAddress(ip: .v4(0xC000_0201), port: 0)
    let (asked, tell) = AsyncStream.makeStream(of: String.self)
    let count = Atomic<Int>(0)
    let lost = DispatchSemaphore(value: 0)
    let resolver = NameResolver { host in
      tell.yield(host)
      guard count.add(1, ordering: .relaxed).oldValue > 0 else {
        lost.wait()
        return .failure(TransportError(.unreachable, "lost"))
      }
      return .success([address])
    }
    var names = asked.makeAsyncIterator()
    async let first = resolver.resolve("a.test", port: 443, timeout: .seconds(600))
    #expect(await names.next() == "a.test")
    let other = try await resolver.resolve("b.test", port: 1, timeout: .seconds(600))
    #expect(other.map(\.description) == ["192.0.2.1:1"])
    let second = try await resolver.resolve("a.test", port: 80, timeout: .seconds(600))
    #expect(second.map(\.description) == ["192.0.2.1:80"])
    #expect(try await first.map(\.description) == ["192.0.2.1:443"])
    lost.signal()
  }

  @Test(.timeLimit(.minutes(1))) func aFailureIsOnesOwn() async throws {
    let (asked, tell) = AsyncStream.makeStream(of: Void.self)
    let count = Atomic<Int>(0)
    let slow = DispatchSemaphore(value: 0)
    let resolver = NameResolver { _ in
      tell.yield()
      guard count.add(1, ordering: .relaxed).oldValue == 0 else {
        return .failure(TransportError(.unreachable, "refused"))
      }
      slow.wait()
      return .success([NetworkAddress(ip: .v4(0xC000_0201), port: 0)])
    }
    var names = asked.makeAsyncIterator()
    async let first = resolver.resolve("a.test", port: 443, timeout: .seconds(600))
    _ = await names.next()
    let code = try await failureCode { _ = try await resolver.resolve("a.test", port: 80, timeout: .seconds(600)) }
    #expect(code == .unreachable)
    slow.signal()
    #expect(try await first.map(\.description) == ["192.0.2.1:443"])
  }

  /// What follows from this for UDP is nothing.
  @Test(.timeLimit(.minutes(1))) func silenceOfNameServersIsTheirs() async throws {
    let silent = DispatchSemaphore(value: 0)
    let resolver = NameResolver { _ in
      silent.wait()
      return .success([])
    }
    let error = await #expect(throws: TransportError.self) {
      _ = try await resolver.resolve("a.test", port: 80, timeout: .milliseconds(1))
    }
    #expect(error?.code == .connectTimeout && error?.cause is NameResolver.Failure)
    silent.signal()
  }

  @Test func familiesTakeTurns() {
    func v4(_ number: UInt32) -> NetworkAddress { NetworkAddress(ip: .v4(number), port: 1) }
    func v6(_ number: UInt64) -> NetworkAddress { NetworkAddress(ip: .v6(0, number, scope: 0), port: 1) }
    #expect(NameResolver.interleave([]) == [])
    #expect(NameResolver.interleave([v6(1), v6(2), v4(3), v4(4)]) == [v6(1), v4(3), v6(2), v4(4)])
    #expect(NameResolver.interleave([v4(1), v6(2), v6(3), v6(4)]) == [v4(1), v6(2), v6(3), v6(4)])
  }
}
