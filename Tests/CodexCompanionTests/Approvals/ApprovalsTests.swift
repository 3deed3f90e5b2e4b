import Glibc
import ResolveKitCore
import StreamTransport
import Synchronization
import Testing

@testable import CodexCompanion

@Suite(.timeLimit(.minutes(10))) struct ApprovalsTests {
  private let folder: TemporaryFolder
  private let audit: AuditLog
  private let auditIsFull: FullDisk
  private let device = Device(id: "d1", name: "phone", pairedAt: 0)
  private let tool = ApprovalSubject.mcpTool(
    server: "tiny", tool: "poke", definition: ["v": 1], arguments: ["secret": "x"])

  init() throws {
    folder = try TemporaryFolder()
    auditIsFull = FullDisk()
    audit = AuditLog(path: folder.file("audit.jsonl"), disk: auditIsFull.disk)
  }

  private func open(disk: Disk = .system) throws(StoreError) -> Approvals {
    try Approvals(path: folder.file("approvals.json"), audit: audit, disk: disk, now: { 7 })
  }

  @Test func alwaysHoldsAfterARestartAndEachYesIsLogged() throws {
    #expect(try open().decide(.allowAlways, on: tool, chat: "c1", by: device))
    let approvals = try open()
    let kept = try #require(approvals.allowances.first)
    #expect(approvals.ruling(on: tool, chat: "c2") == .allow(.kept(kept)))
    let entries = try audit.last(10)
    #expect(entries.map(\.event) == [.approvedAutomatically, .approved])
    #expect(entries.map(\.chatID) == ["c2", "c1"])
    #expect(entries.map(\.deviceName) == [nil, "phone"])
    #expect(entries.map(\.why) == ["allowed permanently, decision \(kept.id)", "allow_always"])
    #expect(entries.allSatisfy { $0.what.objectValue?["arguments"] == ["secret": "x"] && $0.time == 7 })
    #expect(try folder.mode("approvals.json") == 0o600)
  }

  @Test func aNoIsLoggedToo() throws {
    let approvals = try open()
    #expect(try !approvals.decide(.decline, on: tool, chat: "c1", by: nil))
    _ = approvals.ruling(on: tool, chat: "c1", isProjectClosed: true)
    _ = approvals.ruling(on: tool, chat: "c1")
    #expect(try audit.last(10).map(\.event) == [.declinedAutomatically, .declined])
  }

  @Test func withoutAnAuditLogNothingIsAllowed() throws {
    let approvals = try open()
    #expect(try approvals.decide(.allowAlways, on: tool, chat: "c1", by: device))
    auditIsFull.fill()
    #expect(approvals.ruling(on: tool, chat: "c1") == .ask(session: false, always: false))
    for decision in [ApprovalAnswer.approve, .allowForSession, .allowAlways] {
      let error = try #require(throws: ApprovalError.self) {
        try approvals.decide(decision, on: tool, chat: "c1", by: device)
      }
      #expect(error.code == .audit)
    }
    for decision in [ApprovalAnswer.decline, .cancel] {
      #expect(try !approvals.decide(decision, on: tool, chat: "c1", by: device))
    }
  }

  @Test func withoutADiskNothingIsKeptAndARevocationHolds() throws {
    let disk = FullDisk()
    let approvals = try open(disk: disk.disk)
    #expect(try approvals.decide(.allowAlways, on: tool, chat: "c1", by: device))
    disk.fill()
    let other = ApprovalSubject.mcpTool(server: "tiny", tool: "prod", definition: ["v": 1], arguments: [:])
    let error = try #require(throws: ApprovalError.self) {
      try approvals.decide(.allowAlways, on: other, chat: "c1", by: device)
    }
    #expect(error.code == .storage)
    #expect(approvals.ruling(on: other, chat: "c1") == .ask(session: true, always: true))
    let id = try #require(approvals.allowances.first).id
    #expect(throws: ApprovalError.self) { try approvals.revoke(id) }
    #expect(approvals.ruling(on: tool, chat: "c1") == .ask(session: true, always: true))
  }

  @Test func revokedDeniedAndForgottenAreLogged() throws {
    let approvals = try open()
    #expect(try approvals.decide(.allowAlways, on: tool, chat: "c1", by: device))
    let id = try #require(approvals.allowances.first).id
    #expect(try approvals.deny(id))
    #expect(try approvals.revoke(id))
    #expect(try !approvals.revoke(id))
    #expect(try approvals.decide(.allowAlways, on: tool, chat: "c1", by: device))
    try approvals.forget(device: "d1")
    #expect(approvals.allowances.isEmpty)
    #expect(
      try audit.last(10).map(\.event)
        == [.decisionRevoked, .approved, .decisionRevoked, .decisionDenied, .approved])
    #expect(try open2().allowances.isEmpty)
  }

  /// The first one still has the file.
  private func open2() throws -> Approvals {
    let copy = folder.file("copy.json")
    try folder.write(folder.text("approvals.json"), to: "copy.json")
    return try Approvals(path: copy, audit: audit)
  }

  @Test func aDamagedFileIsRefusedAndKept() throws {
    let text = #"{"format":"codex-companion-approvals","version":1,"approvals":[{}]}"#
    try folder.write(text, to: "approvals.json")
    #expect(try #require(throws: StoreError.self) { try open() }.code == .damaged)
    #expect(try folder.text("approvals.json") == text)
  }

  @Test func aDeviceWhoseTokenIsInTwoHandsLeavesNothingBehind() throws {
    let devices = try DeviceRegistry(path: folder.file("devices.json"))
    let approvals = try open()
    let grant = try devices.pair(name: "phone", kind: .renewable)
    let token = try #require(grant.renewal).token
    #expect(try approvals.decide(.allowAlways, on: tool, chat: "c1", by: grant.device))
    let revocation = DeviceRevocation(devices: devices, approvals: approvals, audit: audit)
    _ = try devices.authenticate("Bearer \(revocation.renew(token).token)")
    #expect(approvals.allowances.count == 1)
    #expect(try #require(throws: DeviceError.self) { try revocation.renew(token) }.code == .reusedToken)
    #expect(approvals.allowances.isEmpty)
    #expect(try audit.last(1).first?.event == .deviceRevoked)
  }

  @Test func aDismissedDeviceLeavesNothingBehind() async throws {
    let devices = try DeviceRegistry(path: folder.file("devices.json"))
    let approvals = try open()
    let grant = try devices.pair(name: "phone", kind: .permanent)
    #expect(try approvals.decide(.allowAlways, on: tool, chat: "c1", by: grant.device))
    let revocation = DeviceRevocation(devices: devices, approvals: approvals, audit: audit)
    let isRevoked = devices.revocation(of: grant.device.id)
    #expect(try revocation.revoke(grant.device.id, by: nil))
    #expect(try !revocation.revoke(grant.device.id, by: nil))
    for await _ in isRevoked {}
    #expect(devices.devices.isEmpty)
    #expect(approvals.allowances.isEmpty)
    #expect(try audit.last(1).first?.event == .deviceRevoked)
  }
}
