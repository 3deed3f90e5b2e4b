import Foundation
import ResolveKitCore
import StreamTransport
import TestSupport
import Testing

@testable import ResolveKitNetworking

/// The file of standing decisions (invariant 9: deny beats allow, and what is not known allows nothing).
struct ResolveKitApprovalStoreTests {
  private final class Folder {
    let path = NSTemporaryDirectory() + "approvals-" + UUID().uuidString
    var file: String { path + "/state/approvals" }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, mode: Int = 0o600) throws {
      try FileManager.default.createDirectory(atPath: path + "/state", withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: file))
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    }

    var text: String { (try? String(contentsOfFile: file, encoding: .utf8)) ?? "" }
  }

  private static func id(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 64 - digits.count) + digits
  }

  private func approval(_ number: Int, _ verdict: ApprovalVerdict = .allow, tool: String = "tool") -> StandingApproval {
    StandingApproval(fingerprint: Self.id(number), toolName: tool, verdict: verdict)
  }

  private func line(_ number: Int, _ verdict: String, tool: String = "tool") -> String {
    #"{"id":"\#(Self.id(number))","server":"https://a","tool":"\#(tool)","verdict":"\#(verdict)","decided_at":1}"#
  }

  @Test(arguments: FaultyDisk.Fault.allCases)
  func aDecisionThatFindsNoRoomHoldsUntilTheProgramEnds(fault: FaultyDisk.Fault) throws {
    let folder = Folder()
    let first = ResolveKitApprovalStore(file: folder.file)
    try first.keep(approval(1), server: "https://a")
    let text = folder.text
    let disk = FaultyDisk(fault, failingCall: 1)
    let store = ResolveKitApprovalStore(path: folder.file, disk: disk.disk)
    for change in [{ try store.keep(approval(2, .deny), server: "https://a") }, { _ = try store.revoke(Self.id(1)) }] {
      let error = #expect(throws: ResolveKitApprovalStoreError.self) { try change() }
      #expect(error?.code == .inaccessible)
      if fault != .broken { #expect(error?.message.contains("Make room on the disk.") == true) }
    }
    #expect(folder.text == text, "the file is as it was")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/state").count == 2, "no draft is left")
    #expect(try store.approvals().map(\.id) == [Self.id(1), Self.id(2)])
    #expect(try first.approvals().map(\.id) == [Self.id(1)])
    disk.repair()
    #expect(try store.revoke(Self.id(1)))
    #expect(try store.approvals().map(\.verdict) == [.deny])
  }

  @Test func whatIsKeptHereAloneIsKnownWithoutTheFile() throws {
    let folder = Folder()
    try folder.write("", mode: 0o644)
    let store = ResolveKitApprovalStore(file: folder.file)
    #expect(throws: ResolveKitApprovalStoreError.self) { try store.keep(approval(1, .deny), server: "https://a") }
    #expect(throws: ResolveKitApprovalStoreError.self) { try store.approvals() }
    #expect(store.unsavedApprovals.map(\.verdict) == [.deny])
  }

  @Test func whatIsKeptIsThereForTheNextProcess() throws {
    let folder = Folder()
    let store = ResolveKitApprovalStore(path: folder.file, now: { Date(timeIntervalSince1970: 1234.9) })
    #expect(try store.approvals().isEmpty)
    try store.keep(approval(1, tool: "b"), server: "https://a")
    try store.keep(approval(2, .deny, tool: "a\n\u{1B}[31m"), server: "https://a")
    let read = try ResolveKitApprovalStore(file: folder.file).approvals()
    #expect(read == (try store.approvals()))
    #expect(read.map(\.id) == [Self.id(2), Self.id(1)])
    #expect(read.map(\.verdict) == [.deny, .allow])
    #expect(read.map(\.toolName) == ["a\n\u{1B}[31m", "b"])
    #expect(read.allSatisfy { $0.decidedAt == Date(timeIntervalSince1970: 1234) && $0.server == "https://a" })
    let mode = try FileManager.default.attributesOfItem(atPath: folder.file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func aRevokedDecisionIsGoneForEveryReader() throws {
    let folder = Folder()
    let store = ResolveKitApprovalStore(file: folder.file)
    let other = ResolveKitApprovalStore(file: folder.file)
    for number in 1...3 { try store.keep(approval(number), server: "s") }
    #expect(try other.revoke(Self.id(2)))
    #expect(try !other.revoke(Self.id(2)))
    #expect(try store.approvals().map(\.id) == [Self.id(1), Self.id(3)])
    // A new word on the same tool takes the place of the old one.
    try other.keep(approval(3, .deny), server: "s")
    #expect(try store.approvals().map(\.verdict) == [.allow, .deny])
    try store.revokeAll()
    #expect(try other.approvals().isEmpty)
  }

  @Test func invariant9GarbageAndUnknownWordsAllowNothing() throws {
    let folder = Folder()
    try folder.write(
      [
        #"{"format":"resolvekit-approvals","version":1}"#, line(1, "allow"), "", "\u{0}\u{FFFD}garbage {", "[1,2]",
        "{}",
        line(2, "allow until 2027"), line(3, "ALLOW"), line(3, "allow"), line(4, "allow"), line(4, "deny"),
        line(5, "deny"), line(5, "allow"), #"{"id":"short","tool":"t","verdict":"allow"}"#,
        #"{"id":"\#(Self.id(6))","tool":"t","verdict":"allow","decided_at":1e300}"#,
        String(repeating: "[", count: 40_000),
        line(7, "allow").dropLast(3) + "",
      ].joined(separator: "\n"))
    let store = ResolveKitApprovalStore(file: folder.file)
    let verdicts = Dictionary(
      uniqueKeysWithValues: try store.approvals().map { ($0.id, $0.standing.verdict) })
    #expect(
      verdicts == [
        Self.id(1): .allow, Self.id(2): .unknown, Self.id(3): .unknown, Self.id(4): .deny, Self.id(5): .deny,
        Self.id(6): .allow,
      ])
    // A change keeps what was readable, and the rest beside it.
    let before = folder.text
    try store.keep(approval(9), server: "s")
    #expect(try store.approvals().count == 7)
    #expect(try store.approvals().contains { $0.verdict == .unknown("allow until 2027") })
    #expect(ApprovalFile(bytes: Array(folder.text.utf8)).unreadableLines == 0)
    #expect(try String(contentsOfFile: folder.file + ".damaged", encoding: .utf8) == before)
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func anyBytesAreReadWithoutATrapAndAllowNothingNew(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let whole = ApprovalFile([
      ResolveKitStandingApproval(
        id: Self.id(1), server: "s", toolName: "t", verdict: .deny, decidedAt: Date(timeIntervalSince1970: 1))
    ]).bytes
    for _ in 0..<200 {
      var bytes = whole
      for _ in 0...Int.random(in: 0..<6, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
      let read = ApprovalFile(bytes: bytes).approvals
      #expect(read.allSatisfy { $0.standing.verdict != .allow }, "seed \(seed)")
    }
  }

  @Test func aFileThatOthersMayReadOrWriteIsNotBelieved() throws {
    for mode in [0o644, 0o620, 0o606] {
      let folder = Folder()
      try folder.write(line(1, "allow"), mode: mode)
      let store = ResolveKitApprovalStore(file: folder.file)
      let error = #expect(throws: ResolveKitApprovalStoreError.self) { try store.approvals() }
      #expect(error?.code == .notPrivate)
      #expect(error?.message.contains("chmod 600") == true)
      #expect(throws: ResolveKitApprovalStoreError.self) { try store.keep(approval(2), server: "s") }
      #expect(folder.text == line(1, "allow"))
    }
  }

  @Test func aNewerFileIsLeftAsItIs() throws {
    let folder = Folder()
    try folder.write(#"{"format":"resolvekit-approvals","version":2}"# + "\n" + line(1, "allow"))
    let before = folder.text
    let store = ResolveKitApprovalStore(file: folder.file)
    let error = #expect(throws: ResolveKitApprovalStoreError.self) { try store.approvals() }
    #expect(error?.code == .newerVersion)
    #expect(throws: ResolveKitApprovalStoreError.self) { try store.revokeAll() }
    #expect(folder.text == before)
  }

  @Test func theNumberOfDecisionsIsBounded() throws {
    let folder = Folder()
    let many = (1...ResolveKitApprovalStore.maximumApprovals).map { line($0, "deny") }
    try folder.write(many.joined(separator: "\n"))
    let store = ResolveKitApprovalStore(file: folder.file)
    let error = #expect(throws: ResolveKitApprovalStoreError.self) { try store.keep(approval(5000), server: "s") }
    #expect(error?.code == .full)
    // It holds until this process ends, and for this process alone.
    #expect(try store.approvals().contains { $0.id == Self.id(5000) })
    #expect(try !ResolveKitApprovalStore(file: folder.file).approvals().contains { $0.id == Self.id(5000) })
    try store.keep(approval(1, .allow), server: "s")
    #expect(try store.revoke(Self.id(5000)))
    let memory = ResolveKitApprovalStore()
    for number in 1...ResolveKitApprovalStore.maximumApprovals { try memory.keep(approval(number), server: "s") }
    #expect(throws: ResolveKitApprovalStoreError.self) { try memory.keep(approval(5000), server: "s") }
  }

  @Test func aFileThatIsTooLargeOrNoFileIsAnError() throws {
    let folder = Folder()
    try folder.write(String(repeating: "x", count: ResolveKitApprovalStore.maximumFileBytes + 1))
    for path in [folder.file, folder.path + "/state"] {
      let error = #expect(throws: ResolveKitApprovalStoreError.self) {
        try ResolveKitApprovalStore(file: path).approvals()
      }
      #expect(error?.code == .inaccessible)
    }
  }

  @Test func manyWritersLoseNothing() async throws {
    let folder = Folder()
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<8 {
        group.addTask { [file = folder.file] in
          let store = ResolveKitApprovalStore(file: file)
          for number in 0..<10 { try? store.keep(approval(1 + writer * 10 + number), server: "s") }
        }
      }
    }
    #expect(try ResolveKitApprovalStore(file: folder.file).approvals().count == 80)
  }
}
