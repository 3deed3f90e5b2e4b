import ResolveKitCore
import TestSupport
import Testing

@testable import CodexCompanion

@Suite struct ControlMessagesTests {
  private static let commands: [ControlCommand] = [
    .pair(.own), .pair(.publicProtocol), .pair(.browser), .pairings, .confirm(pairingID: "p", allow: true),
    .confirm(pairingID: "p", allow: false), .devices, .revokeDevice(deviceID: "d"), .approvals,
    .revokeApproval(approvalID: "a"), .denyApproval(approvalID: "a"), .audit(limit: 1), .audit(limit: 1_000),
    .status, .projects, .hideProject(folder: "/a b\u{301}"), .showProject(folder: "/"),
  ]

  private static func replies() throws -> [ControlReply] {
    let device = Device(id: "d1", name: "phone\u{1B}", pairedAt: 1, lastUsedAt: 2)
    let scope = AllowanceScope.mcpTool(server: "s", tool: "t", definition: ["v": 1])
    return [
      .done, .pairings([]), .devices([device, Device(id: "d2", name: "", pairedAt: 1)]),
      .pairings([
        ControlPairingQuestion(pairingID: "p", deviceName: "x", address: "::1", isOpenedHere: true, expiresAt: 3)
      ]),
      .pairing(ControlPairing(pairingID: "p", uri: "codexremote://", expiresAt: 3, code: try QRCode("a"))),
      .approvals([Allowance(scope, .allow, at: 1, by: device), Allowance(scope, .deny, at: 1, by: nil)]),
      .audit([
        AuditEntry(time: 1, event: .approved, device: device, chatID: "c", kind: "k", what: ["x": [1]], why: "w"),
        AuditEntry(time: 1, event: .deviceRevoked, what: .null, why: "w"),
      ]),
      .status(ControlStatus(addresses: ["https://[::1]:1"], codex: "c", processID: 3, startedAt: 4, deviceCount: 5)),
      .projects([
        ControlProject(folder: "/a", updatedAt: 1, isHidden: false),
        ControlProject(folder: "/b", updatedAt: nil, isHidden: true),
      ]), .refused(ControlRefusal(.notFound, "No.")),
    ]
  }

  @Test(arguments: Self.commands)
  func aCommandIsReadAsWritten(command: ControlCommand) throws {
    #expect(command.line.last == UInt8(ascii: "\n"))
    #expect(try ControlCommand(line: command.line.dropLast()) == command)
  }

  @Test func aReplyIsReadAsWritten() throws {
    for reply in try Self.replies() {
      #expect(try ControlReply(line: reply.line(limit: 1 << 20).dropLast()) == reply)
    }
  }

  @Test(arguments: [
    "", "x", "{", "[]", "7", "null", "{}", #"{"command":7}"#, #"{"command":"sudo"}"#,
    #"{"command":"devices","id":1}"#, #"{"command":"confirm","pairingId":"p"}"#,
    #"{"command":"confirm","pairingId":"p","allow":"yes"}"#, #"{"command":"confirm","pairingId":"a b","allow":true}"#,
    #"{"command":"revoke_device","deviceId":""}"#, #"{"command":"revoke_device"}"#, #"{"command":"audit"}"#,
    #"{"command":"audit","limit":0}"#, #"{"command":"audit","limit":1001}"#, #"{"command":"audit","limit":1.5}"#,
    #"{"command":"audit","limit":1e300}"#, #"{"command":"audit","limit":-1}"#, "\u{0}",
    String(repeating: "[", count: 60_000),
  ])
  func whatIsNoCommandIsRefused(text: String) {
    #expect(throws: ControlError.self) { try ControlCommand(line: Array(text.utf8)) }
  }

  /// Changed bytes of real lines: whatever comes, it is an error or a message, never a trap.
  @Test(arguments: [UInt64(1), 2, 3])
  func noLineTraps(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let lines = Self.commands.map(\.line) + (try Self.replies().map { $0.line(limit: 1 << 20) })
    var refused = 0
    for line in lines {
      for _ in 0..<200 {
        var bytes = line
        for _ in 0...Int.random(in: 0..<3, using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
        }
        if (try? ControlCommand(line: bytes)) == nil, (try? ControlReply(line: bytes)) == nil { refused += 1 }
      }
    }
    #expect(refused > 0, "seed \(seed)")
  }

  @Test func aReplyThatIsTooLongBecomesARefusal() throws {
    let entry = AuditEntry(time: 1, event: .approved, what: .string(String(repeating: "x", count: 1_000)), why: "w")
    let line = ControlReply.audit(Array(repeating: entry, count: 1_000)).line(limit: 10_000)
    #expect(line.count < 10_000)
    guard case .refused(let refusal) = try ControlReply(line: line.dropLast()) else {
      Issue.record("no refusal")
      return
    }
    #expect(refusal.code == .tooLong)
  }
}
