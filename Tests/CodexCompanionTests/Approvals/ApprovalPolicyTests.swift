import ResolveKitCore
import Testing

@testable import CodexCompanion

@Suite struct ApprovalPolicyTests {
  private var policy = ApprovalPolicy()
  private let device = Device(id: "d1", name: "phone", pairedAt: 0)

  private static func tool(_ name: String, definition: JSONValue? = ["v": 1]) -> ApprovalSubject {
    .mcpTool(server: "tiny", tool: name, definition: definition, arguments: ["x": 1])
  }
  private static func command(_ text: String) -> ApprovalSubject { .command(["command": .string(text), "cwd": "/w"]) }
  private static let unknown = ApprovalSubject.other(kind: "later/thing", ["x": 1])

  private func ruling(_ subject: ApprovalSubject, chat: String = "c1") -> ApprovalRuling {
    policy.ruling(on: subject, chat: chat, isProjectClosed: false)
  }

  private mutating func take(
    _ decision: ApprovalAnswer, _ subject: ApprovalSubject, chat: String = "c1"
  ) throws(ApprovalError) -> Bool {
    try policy.take(decision, on: subject, chat: chat, by: device, now: 5)
  }

  @Test func everythingIsAskedAboutFirst() {
    #expect(ruling(Self.tool("poke")) == .ask(session: true, always: true))
    #expect(ruling(Self.command("ls")) == .ask(session: true, always: false))
    #expect(ruling(.fileChange([.init(path: "/a", diff: "x")])) == .ask(session: true, always: false))
    for subject in [Self.unknown, Self.tool("poke", definition: nil), .command(["cwd": "/"]), .fileChange([])] {
      #expect(ruling(subject) == .ask(session: false, always: false))
    }
  }

  @Test(arguments: [ApprovalAnswer.approve, .decline])
  func onceIsOnce(decision: ApprovalAnswer) throws {
    var copy = self
    #expect(try copy.take(decision, Self.command("ls")) == (decision == .approve))
    #expect(copy.policy == policy)
  }

  @Test mutating func aSessionIsOneChatAndOneScope() throws {
    #expect(try take(.allowForSession, Self.tool("poke")))
    #expect(try take(.allowForSession, Self.command("ls")))
    #expect(ruling(Self.tool("poke")) == .allow(.session))
    #expect(ruling(Self.command("ls")) == .allow(.session))
    for subject in [
      Self.tool("prod"), Self.tool("poke", definition: ["v": 2]), Self.tool("poke", definition: nil),
      Self.command("ls -l"), Self.unknown,
    ] {
      guard case .ask = ruling(subject) else {
        Issue.record("\(subject.exact) is allowed")
        continue
      }
    }
    #expect(ruling(Self.tool("poke"), chat: "c2") == .ask(session: true, always: true))
    #expect(policy.members == ApprovalPolicy().members)
    policy.forget(chat: "c1")
    #expect(policy == ApprovalPolicy())
  }

  @Test mutating func aLaterNoEndsTheSessionsYes() throws {
    #expect(try take(.allowForSession, Self.command("ls")))
    #expect(try !take(.decline, Self.command("ls")))
    #expect(ruling(Self.command("ls")) == .ask(session: true, always: false))
  }

  @Test mutating func alwaysHoldsInEveryChatUntilRevoked() throws {
    #expect(try take(.allowAlways, Self.tool("poke")))
    let kept = try #require(policy.allowances.first)
    #expect(kept.deviceName == "phone")
    #expect(ruling(Self.tool("poke"), chat: "c2") == .allow(.kept(kept)))
    #expect(ruling(Self.tool("poke", definition: ["v": 2])) == .ask(session: true, always: true))
    #expect(try ApprovalPolicy(policy.members).allowances == [kept])
    #expect(policy.revoke(kept.id) == kept)
    #expect(policy.revoke(kept.id) == nil)
    #expect(ruling(Self.tool("poke")) == .ask(session: true, always: true))
  }

  @Test mutating func widerThanTheScopeIsRefused() throws {
    for (decision, subject) in [
      (ApprovalAnswer.allowForSession, Self.unknown), (.allowAlways, Self.unknown),
      (.allowAlways, Self.command("ls")),
      (.allowAlways, .fileChange([.init(path: "/a", diff: "")])),
      (.allowForSession, Self.tool("poke", definition: nil)),
    ] {
      do throws(ApprovalError) {
        _ = try take(decision, subject)
        Issue.record("\(decision) of \(subject.kind) was taken")
      } catch {
        #expect(error.code == .onceOnly)
      }
    }
    #expect(policy == ApprovalPolicy())
  }

  @Test mutating func aNoWins() throws {
    #expect(try take(.allowForSession, Self.tool("poke")))
    #expect(try take(.allowAlways, Self.tool("poke")))
    let id = try #require(policy.allowances.first).id
    let answer = policy.deny(id)
    let denied = try #require(answer)
    #expect(ruling(Self.tool("poke")) == .deny(.kept(denied)))
    for decision in ApprovalAnswer.allCases {
      let isYes = try? take(decision, Self.tool("poke"))
      #expect(isYes == (decision == .decline ? false : nil))
    }
    #expect(try ApprovalPolicy(policy.members).allowances == [denied])
    #expect(policy.deny("none") == nil)
  }

  @Test mutating func aNoThatIsTakenBackBringsNoOldYesBack() throws {
    #expect(try take(.allowForSession, Self.tool("poke")))
    #expect(try take(.allowAlways, Self.tool("poke")))
    let id = try #require(policy.allowances.first).id
    _ = policy.deny(id)
    _ = policy.revoke(id)
    #expect(ruling(Self.tool("poke")) == .ask(session: true, always: true))
  }

  @Test mutating func aClosedProjectIsClosedToEverything() throws {
    #expect(try take(.allowAlways, Self.tool("poke")))
    for subject in [Self.tool("poke"), Self.command("ls"), Self.unknown] {
      #expect(policy.ruling(on: subject, chat: "c1", isProjectClosed: true) == .deny(.closedProject))
    }
  }

  @Test mutating func aDevicesDecisionsGoWithIt() throws {
    #expect(try take(.allowAlways, Self.tool("a")))
    #expect(try take(.allowAlways, Self.tool("b")))
    _ = policy.deny(try #require(policy.allowances.last).id)
    #expect(policy.forget(device: "other").isEmpty)
    #expect(policy.forget(device: "d1").count == 1)
    #expect(policy.allowances.map(\.verdict) == [.deny])
  }

  @Test mutating func neitherGrowsWithoutLimit() throws {
    for number in 0..<ApprovalPolicy.maximumAllowances { _ = try take(.allowAlways, Self.tool("\(number)")) }
    #expect((try? take(.allowAlways, Self.tool("one more"))) == nil)
    _ = try take(.allowAlways, Self.tool("0"))
    for number in 0..<ApprovalPolicy.maximumSessionScopes {
      _ = try take(.allowForSession, Self.command("\(number)"), chat: "c\(number % 7)")
    }
    #expect((try? take(.allowForSession, Self.command("one more"), chat: "c9")) == nil)
    #expect(ruling(Self.command("one more"), chat: "c9") == .ask(session: true, always: false))
  }

  @Test func ofTwoLinesOnOneScopeTheNoCounts() throws {
    let line: (String) -> JSONValue = {
      ["approvalId": "a", "kind": "mcpTool", "summary": "s", "verdict": .string($0), "decidedAt": 1]
    }
    for lines in [[line("allow"), line("deny")], [line("deny"), line("allow")]] {
      #expect(try ApprovalPolicy(["approvals": .array(lines)]).allowances.map(\.verdict) == [.deny])
    }
  }

  @Test(
    arguments: [
      [:], ["approvals": 7], ["approvals": [7]], ["approvals": [[:]]],
      ["approvals": [["approvalId": "a", "kind": "other", "summary": "s", "verdict": "allow", "decidedAt": 1]]],
      ["approvals": [["approvalId": "a", "kind": "mcpTool", "summary": "s", "verdict": "perhaps", "decidedAt": 1]]],
      ["approvals": [["approvalId": "a", "kind": "mcpTool", "summary": "s", "verdict": "allow", "decidedAt": -1]]],
    ] as [JSONObject])
  func aFileThatIsHalfUnderstoodIsRefused(members: JSONObject) {
    #expect(throws: ControlError.self) { try ApprovalPolicy(members) }
  }
}
