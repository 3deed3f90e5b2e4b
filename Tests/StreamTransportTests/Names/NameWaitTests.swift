import StreamTransport
import Synchronization
import TestSupport
import Testing

/// Look-ups that wait, and what they share.
@Suite(.timeLimit(.minutes(10))) struct NameWaitTests {
  /// Answers every name but those that begin with `dead`.
  private static func answer(_ question: NameQuestion) -> [NameAnswer] {
    question.name.hasPrefix("dead") ? [] : [.addresses(["192.0.2.1"])]
  }

  @Test(arguments: [8, NameResolver.limit - 1])
  func lookUpsThatASilentServerHoldsUpHoldUpNoOther(count: Int) async throws {
    let asked = AskedNames()
    try await NameServer.run { question in
      asked.append(question)
      return Self.answer(question)
    } body: { server in
      let subject = try ResolverUnderTest(resolvConf: server.line)
      let dead = (1...count).map { number in Task { try await subject.addresses(of: "dead\(number).test") } }
      await until { Set(asked.names).count == count }
      #expect(try await subject.addresses(of: "healthy.test") == ["192.0.2.1"])
      for task in dead { task.cancel() }
      for task in dead { #expect(try await failureCode { _ = try await task.value } == .cancelled) }
    }
  }

  @Test func aNameBeyondTheLimitWaitsForItsTurn() async throws {
    let asked = AskedNames()
    try await NameServer.run { question in
      asked.append(question)
      return Self.answer(question)
    } body: { server in
      let subject = try ResolverUnderTest(resolvConf: server.line)
      let dead = (1...NameResolver.limit).map { number in
        Task { try await subject.addresses(of: "dead\(number).test") }
      }
      await until { Set(asked.names).count == dead.count }
      let next = Task { try await subject.addresses(of: "healthy.test") }
      let given = Task { try await subject.addresses(of: "abandoned.test", timeout: .milliseconds(1)) }
      #expect(try await failureCode { _ = try await given.value } == .connectTimeout)
      #expect(!asked.names.contains("healthy.test"))
      dead[0].cancel()
      #expect(try await next.value == ["192.0.2.1"])
      #expect(!asked.names.contains("abandoned.test"))
      for task in dead { task.cancel() }
      for task in dead { #expect(try await failureCode { _ = try await task.value } == .cancelled) }
    }
  }

  @Test func allWhoAskForANameShareOneLookUp() async throws {
    let (asked, answers) = (AskedNames(), Gate())
    try await NameServer.run { question in
      asked.append(question)
      await answers.wait()
      return Self.answer(question)
    } body: { server in
      let subject = try ResolverUnderTest(resolvConf: server.line)
      async let first = subject.addresses(of: "a.test")
      await until { asked.names == ["a.test"] }
      // One who does not wait long takes nothing from the others.
      #expect(
        try await failureCode { _ = try await subject.addresses(of: "A.Test", timeout: .milliseconds(1)) }
          == .connectTimeout)
      let second = Task { try await subject.addresses(of: "a.test") }
      answers.open()
      #expect(try await first == ["192.0.2.1"])
      #expect(try await second.value == ["192.0.2.1"])
    }
  }

  @Test func whatNobodyWaitsForIsAskedAgain() async throws {
    let asked = AskedNames()
    try await NameServer.run { question in
      asked.append(question)
      return asked.questions.count > 2 ? [.addresses(["192.0.2.1"])] : []
    } body: { server in
      let subject = try ResolverUnderTest(resolvConf: server.line)
      let first = Task { try await subject.addresses(of: "a.test") }
      await until { asked.questions.count >= 2 }
      first.cancel()
      #expect(try await failureCode { _ = try await first.value } == .cancelled)
      #expect(try await subject.addresses(of: "a.test") == ["192.0.2.1"])
    }
  }

  /// Nothing follows from it for UDP.
  @Test func silenceOfNameServersIsTheirs() async throws {
    try await NameServer.run { _ in
      []
    } body: { server in
      let subject = try ResolverUnderTest(resolvConf: server.line)
      let error = await #expect(throws: TransportError.self) {
        try await subject.addresses(of: "a.test", timeout: .milliseconds(1))
      }
      #expect(error?.code == .connectTimeout && error?.cause is NameResolver.Failure)
    }
  }

  @Test func aLostPacketIsSentAgain() async throws {
    let asked = AskedNames()
    try await NameServer.run { question in
      asked.append(question)
      // The first for each family is lost.
      return asked.questions.filter { $0.kind == question.kind }.count > 1 ? Self.answer(question) : []
    } body: { server in
      let subject = try ResolverUnderTest(resolvConf: server.line + "options timeout:1\n")
      #expect(try await subject.addresses(of: "a.test") == ["192.0.2.1"])
    }
  }

  @Test func theNextLookUpFollowsAChangeOfTheFiles() async throws {
    try await NameServer.run { question in
      Self.answer(question)
    } body: { server in
      let subject = try ResolverUnderTest(resolvConf: server.line, hosts: "192.0.2.7 a.test\n")
      #expect(try await subject.addresses(of: "a.test") == ["192.0.2.7"])
      try subject.write("", to: "hosts")
      #expect(try await subject.addresses(of: "a.test") == ["192.0.2.1"])
    }
  }

  /// The machine roams: the servers of the network that it left are silent.
  @Test(arguments: [true, false]) func aLookUpUnderWayGoesToTheServersOfANewNetwork(isNoticed: Bool) async throws {
    let asked = AskedNames()
    try await NameServer.run { question in
      asked.append(question)
      return []
    } body: { old in
      try await NameServer.run { question in
        Self.answer(question)
      } body: { new in
        let subject = try ResolverUnderTest(resolvConf: old.line + "options timeout:1\n")
        async let found = subject.addresses(of: "a.test")
        await until { asked.questions.count >= 2 }
        try subject.write(new.line, to: "resolv.conf")
        // Without a notice of the network the next time limit is the occasion.
        if isNoticed { subject.loop.execute { subject.loop.networkMonitor.suspectChange() } }
        #expect(try await found == ["192.0.2.1"])
      }
    }
  }
}
