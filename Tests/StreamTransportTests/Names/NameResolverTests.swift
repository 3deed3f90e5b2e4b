import HTTP3Engine
import StreamTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct NameResolverTests {
  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1:443"), ("::1", "[::1]:443"), ("2001:db8::7", "[2001:db8:0:0:0:0:0:7]:443"),
    ("::ffff:192.0.2.9", "192.0.2.9:443"), ("fe80::1%lo", "[fe80:0:0:0:0:0:0:1%1]:443"),
  ])
  func readsLiterals(literal: String, expected: String) async throws {
    let found = try await NameResolver.resolve(literal, port: 443, timeout: .seconds(10))
    #expect(found.map(\.description) == [expected])
  }

  @Test func localhostIsThisMachineByItsOwnFilesToo() async throws {
    let found = try await NameResolver.resolve("localhost", port: 9, timeout: .seconds(10))
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { $0.isLoopback && $0.port == 9 })
  }

  @Test(arguments: ["localhost", "LOCALHOST.", "a.localhost"])
  func noNameServerIsAskedForLocalhost(name: String) async throws {
    try await NameServer.run { _ in
      [.addresses(["192.0.2.1"])]
    } body: { server in
      let subject = try ResolverUnderTest(resolvConf: server.line, nsswitch: "hosts: dns files")
      #expect(try await subject.addresses(of: name) == ["::1", "127.0.0.1"])
    }
  }

  @Test func theHostsFileSaysWhatLocalhostIs() async throws {
    let subject = try ResolverUnderTest(resolvConf: "", hosts: "127.0.0.2 localhost\n")
    #expect(try await subject.addresses(of: "localhost") == ["127.0.0.2"])
  }

  @Test func theMachinesOwnNameIsItsLoopbackWhereTheOrderSaysSo() async throws {
    let subject = try ResolverUnderTest(resolvConf: "", nsswitch: "hosts: files myhostname dns", machine: "Box.test")
    #expect(try await subject.addresses(of: "box.test") == ["::1", "127.0.0.1"])
  }

  @Test(arguments: [
    ("hosts: files dns", "192.0.2.1"), ("hosts: dns files", "192.0.2.2"), ("", "192.0.2.1"),
    ("hosts: resolve [!UNAVAIL=return] files", "192.0.2.2"),
  ])
  func theFirstSourceThatKnowsANameCounts(nsswitch: String, expected: String) async throws {
    try await NameServer.run { _ in
      [.addresses(["192.0.2.2"])]
    } body: { server in
      let subject = try ResolverUnderTest(resolvConf: server.line, hosts: "192.0.2.1 a.test\n", nsswitch: nsswitch)
      #expect(try await subject.addresses(of: "a.test") == [expected])
    }
  }

  @Test(arguments: [NameAnswer.unknownName, .failure(2), .records([])])
  func aSourceThatDoesNotKnowANameLeadsToTheNext(answer: NameAnswer) async throws {
    try await NameServer.run { _ in
      [answer]
    } body: { server in
      let subject = try ResolverUnderTest(
        resolvConf: server.line + "options attempts:1", hosts: "192.0.2.1 a.test\n", nsswitch: "hosts: dns files")
      #expect(try await subject.addresses(of: "a.test") == ["192.0.2.1"])
    }
  }

  @Test(arguments: [
    (NameAnswer.unknownName, TransportError.Code.nameNotFound), (.records([]), .nameNotFound),
    (.failure(2), .unreachable),
    (.failure(5), .unreachable),
  ])
  func aFailureSaysWhetherTheNameOrTheServerIsToBlame(answer: NameAnswer, code: TransportError.Code) async throws {
    try await NameServer.run { _ in
      [answer]
    } body: { server in
      let subject = try ResolverUnderTest(resolvConf: server.line + "options attempts:1")
      let error = await #expect(throws: TransportError.self) { try await subject.addresses(of: "a.test") }
      #expect(error?.code == code)
      #expect((error?.cause is NameResolver.Failure) == (code == .unreachable))
    }
  }

  @Test(arguments: ["", "a..b", "a b", "bücher.test"])
  func whatIsNoNameIsNotLookedUp(name: String) async throws {
    let code = try await failureCode {
      _ = try await NameResolver.resolve(name, port: 9, timeout: .seconds(600))
    }
    #expect(code == .nameNotFound)
  }

  @Test func familiesTakeTurns() {
    func v4(_ number: UInt32) -> NetworkAddress { NetworkAddress(ip: .v4(number), port: 1) }
    func v6(_ number: UInt64) -> NetworkAddress { NetworkAddress(ip: .v6(0, number, scope: 0), port: 1) }
    #expect(NameResolver.interleave([]) == [])
    #expect(NameResolver.interleave([v6(1), v6(2), v4(3), v4(4)]) == [v6(1), v4(3), v6(2), v4(4)])
    #expect(NameResolver.interleave([v4(1), v6(2), v6(3), v6(4)]) == [v4(1), v6(2), v6(3), v6(4)])
  }
}
