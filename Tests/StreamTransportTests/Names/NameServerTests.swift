import StreamTransport
import TestSupport
import Testing

/// Name servers' answers, good and bad.
@Suite(.timeLimit(.minutes(10))) struct NameServerTests {
  private static let good = NameAnswer.addresses(["192.0.2.1"])

  @Test func addressesOfBothFamiliesAreFound() async throws {
    try await NameServer.run { _ in
      [.addresses(["192.0.2.1", "2001:db8:0:0:0:0:0:1", "192.0.2.2"])]
    } body: { server in
      let subject = try ResolverUnderTest(resolvConf: server.line)
      // The order of RFC 6724 depends on the addresses that the machine has.
      #expect(
        Set(try await subject.addresses(of: "a.test")) == ["192.0.2.1", "2001:db8:0:0:0:0:0:1", "192.0.2.2"])
    }
  }

  @Test func oneFamilyIsEnough() async throws {
    try await NameServer.run { question in
      [question.kind == .a ? .unknownName : .addresses(["2001:db8:0:0:0:0:0:1"])]
    } body: { server in
      let subject = try ResolverUnderTest(resolvConf: server.line)
      #expect(try await subject.addresses(of: "a.test") == ["2001:db8:0:0:0:0:0:1"])
    }
  }

  @Test func anAliasIsFollowedWithinAnAnswer() async throws {
    try await NameServer.run { question in
      [
        .records(
          [NameRecord("a.test", alias: "b.test"), NameRecord("b.test", alias: "c.test")]
            + [NameRecord("c.test", address: "192.0.2.3", kind: question.kind)].compactMap { $0 })
      ]
    } body: { server in
      let subject = try ResolverUnderTest(resolvConf: server.line)
      #expect(try await subject.addresses(of: "a.test") == ["192.0.2.3"])
    }
  }

  @Test func aliasesInACircleAreNoAddress() async throws {
    try await NameServer.run { _ in
      [.records([NameRecord("a.test", alias: "b.test"), NameRecord("b.test", alias: "a.test")])]
    } body: { server in
      let subject = try ResolverUnderTest(resolvConf: server.line)
      #expect(try await failureCode { _ = try await subject.addresses(of: "a.test") } == .nameNotFound)
    }
  }

  /// New versions of c-ares ask again at once, old ones when the time is up.
  @Test(arguments: [
    [0], [UInt8](repeating: 0xff, count: 11), [UInt8](repeating: 0, count: 12), [UInt8](repeating: 0xc0, count: 4_000),
  ])
  func garbageIsNoAnswer(bytes: [UInt8]) async throws {
    let asked = AskedNames()
    try await NameServer.run { question in
      asked.append(question)
      return [asked.questions.filter { $0.kind == question.kind }.count > 1 ? Self.good : .garbage(bytes)]
    } body: { server in
      let subject = try ResolverUnderTest(resolvConf: server.line + "options timeout:1\n")
      #expect(try await subject.addresses(of: "a.test") == ["192.0.2.1"])
    }
  }

  @Test func anAnswerToAnotherQuestionIsNone() async throws {
    try await NameServer.run { question in
      let bad = [NameRecord(question.name, address: "192.0.2.66", kind: question.kind)].compactMap { $0 }
      return [.misnumbered(bad), .misnamed(bad), Self.good]
    } body: { server in
      let subject = try ResolverUnderTest(resolvConf: server.line)
      #expect(try await subject.addresses(of: "a.test") == ["192.0.2.1"])
    }
  }

  @Test func aTruncatedAnswerIsFetchedOverTCP() async throws {
    let asked = AskedNames()
    try await NameServer.run { question in
      asked.append(question)
      return [question.isTCP ? Self.good : .truncated]
    } body: { server in
      let subject = try ResolverUnderTest(resolvConf: server.line)
      #expect(try await subject.addresses(of: "a.test") == ["192.0.2.1"])
      #expect(Set(asked.questions.map(\.isTCP)) == [false, true])
    }
  }

  @Test func sixteenAddressesAreTakenOfAnyNumber() async throws {
    try await NameServer.run { question in
      [question.isTCP ? .addresses((1...200).map { "192.0.2.\($0)" }) : .truncated]
    } body: { server in
      let subject = try ResolverUnderTest(resolvConf: server.line)
      #expect(try await subject.addresses(of: "a.test").count == 16)
    }
  }

  @Test(arguments: [NameAnswer.failure(2), .failure(4), .failure(5)])
  func aServerThatRefusesLeadsToTheNext(answer: NameAnswer) async throws {
    try await NameServer.run { _ in
      [answer]
    } body: { first in
      try await NameServer.run { _ in
        [Self.good]
      } body: { second in
        let subject = try ResolverUnderTest(resolvConf: first.line + second.line)
        #expect(try await subject.addresses(of: "a.test") == ["192.0.2.1"])
      }
    }
  }

  /// Old versions of c-ares lose one of two refusals, and wait for that answer until the time is up.
  @Test func aServerThatIsNotThereLeadsToTheNext() async throws {
    let gone = try await NameServer.run { _ in
      []
    } body: {
      $0.line
    }
    try await NameServer.run { _ in
      [Self.good]
    } body: { server in
      let subject = try ResolverUnderTest(resolvConf: gone + server.line + "options timeout:1\n")
      #expect(try await subject.addresses(of: "a.test") == ["192.0.2.1"])
    }
  }

  @Test func serversTakeTurnsWhereTheFileSaysSo() async throws {
    try await NameServer.run { _ in
      [Self.good]
    } body: { first in
      try await NameServer.run { _ in
        [.addresses(["192.0.2.2"])]
      } body: { second in
        let subject = try ResolverUnderTest(resolvConf: first.line + second.line + "options rotate")
        var found: Set<[String]> = []
        for _ in 0..<2 { found.insert(try await subject.addresses(of: "a.test")) }
        #expect(found == [["192.0.2.1"], ["192.0.2.2"]])
      }
    }
  }

  /// The names that are asked for until one is known, which `known` is.
  @Test(arguments: [
    ("a", 1, "a.two.test", ["a.one.test", "a.two.test"]),
    ("a.b", 1, "a.b.one.test", ["a.b", "a.b.one.test"]),
    ("a.b", 2, "a.b", ["a.b.one.test", "a.b.two.test", "a.b"]),
    ("a.", 1, "a", ["a"]),
  ])
  func domainsAreSearchedAsTheDotsOfANameSay(name: String, dots: Int, known: String, expected: [String]) async throws {
    let asked = AskedNames()
    try await NameServer.run { question in
      asked.append(question)
      return [question.name == known ? Self.good : .unknownName]
    } body: { server in
      let subject = try ResolverUnderTest(
        resolvConf: server.line + "search one.test two.test\noptions ndots:\(dots)\n")
      #expect(try await subject.addresses(of: name) == ["192.0.2.1"])
      #expect(asked.names == expected)
    }
  }

  @Test func aCompleteNameIsSearchedInNoDomain() async throws {
    let asked = AskedNames()
    try await NameServer.run { question in
      asked.append(question)
      return [.unknownName]
    } body: { server in
      let subject = try ResolverUnderTest(resolvConf: server.line + "search one.test\n")
      #expect(try await failureCode { _ = try await subject.addresses(of: "a.") } == .nameNotFound)
      #expect(asked.names == ["a"])
    }
  }
}
