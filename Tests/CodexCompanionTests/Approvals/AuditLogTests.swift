import Foundation
import ResolveKitCore
import StreamTransport
import Synchronization
import Testing

@testable import CodexCompanion

@Suite struct AuditLogTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func entry(_ number: Int, what: JSONValue = "ls") -> AuditEntry {
    AuditEntry(
      time: number, event: .approved, device: Device(id: "d1", name: "phone", pairedAt: 0), chatID: "c1",
      kind: "command", what: what, why: "approve")
  }

  private func open(_ size: AuditLog.Size = AuditLog.Size(), disk: Disk = .system) -> AuditLog {
    AuditLog(path: folder.file("audit.jsonl"), size: size, disk: disk)
  }

  @Test func eachLineIsOneEntryForTheOwnerAlone() throws {
    let log = open()
    #expect(try log.last(10).isEmpty)
    try log.append(entry(1, what: ["command": "a\nb"]))
    try log.append(entry(2))
    #expect(try folder.mode("audit.jsonl") == 0o600)
    #expect(
      try folder.text("audit.jsonl").split(separator: "\n").first
        == #"{"chatId":"c1","deviceId":"d1","deviceName":"phone","event":"approved","kind":"command","time":1,"#
        + #""what":{"command":"a\nb"},"why":"approve"}"#)
    #expect(try log.last(10) == [entry(2), entry(1, what: ["command": "a\nb"])])
    #expect(try log.last(1) == [entry(2)])
    #expect(try log.last(0).isEmpty)
  }

  @Test func isReadFromTheEndAcrossBlocks() throws {
    let log = open()
    let long = JSONValue.string(String(repeating: "x", count: 10_000))
    for number in 0..<50 { try log.append(entry(number, what: long)) }
    #expect(try log.last(50).map(\.time) == (0..<50).reversed())
    #expect(try log.last(7).map(\.time) == (43..<50).reversed())
  }

  @Test func whatIsTooLongIsCutWithAMark() throws {
    let log = open()
    try log.append(entry(1, what: .string(String(repeating: "x", count: 10_000_000))))
    let what = try #require(try log.last(1).first?.what.stringValue)
    #expect(what.hasSuffix("of 10000000 bytes]"))
    #expect(try folder.text("audit.jsonl").utf8.count < 17 << 10)
  }

  @Test(arguments: [0, 31, 32, 33, 126, 127, 128])
  func whatIsDeepIsStillListed(depth: Int) throws {
    var what: JSONValue = "rm"
    for _ in 0..<depth { what = [what] }
    let log = open()
    try log.append(entry(1, what: what))
    let entries = try log.last(1)
    #expect(entries.first?.what.jsonText.contains("rm") == true)
    // Nor is it lost on the way to the caller.
    #expect(try ControlReply(line: ControlReply.audit(entries).line(limit: 1 << 20).dropLast()) == .audit(entries))
  }

  @Test func aFullFileGivesWay() throws {
    var size = AuditLog.Size()
    size.fileBytes = 1_000
    size.fullFiles = 2
    let log = open(size)
    for number in 0..<100 { try log.append(entry(number)) }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(files == ["audit.jsonl", "audit.jsonl.1", "audit.jsonl.2"])
    for file in files { #expect(try folder.text(file).utf8.count <= 1_000) }
    let times = try log.last(1_000).map(\.time)
    #expect(times.count < 30)
    #expect(times == ((100 - times.count)..<100).reversed())
    // A new process continues where the last one was.
    try open(size).append(entry(100))
    #expect(try log.last(1).map(\.time) == [100])
  }

  @Test func aTornLineSpoilsNoOther() throws {
    try open().append(entry(1))
    let whole = try folder.text("audit.jsonl")
    try folder.write(whole + String(whole.dropLast(20)), to: "audit.jsonl")
    let log = open()
    #expect(try log.last(10).map(\.time) == [1])
    try log.append(entry(2))
    #expect(try log.last(10).map(\.time) == [2, 1])
    try folder.write("\n\u{0}\n{}\n[1]\n" + whole + "x\n", to: "audit.jsonl")
    #expect(try open().last(10).map(\.time) == [1])
  }

  @Test func aLineCutByAFullDiskSpoilsNoOther() throws {
    let isFull = Mutex(false)
    var disk = Disk.system
    disk.write = { descriptor, bytes in
      guard isFull.withLock({ $0 }) else { return Disk.system.write(descriptor, bytes) }
      guard bytes.count > 10 else {
        errno = ENOSPC
        return -1
      }
      // Some of it finds room.
      return Disk.system.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count / 2)]))
    }
    let log = open(disk: disk)
    try log.append(entry(1))
    isFull.withLock { $0 = true }
    #expect(throws: StoreError.self) { try log.append(entry(2)) }
    isFull.withLock { $0 = false }
    try log.append(entry(3))
    #expect(try log.last(10).map(\.time) == [3, 1])
  }

  @Test func aFileThatOthersMayReadIsRefused() throws {
    try folder.write("", to: "audit.jsonl", mode: 0o644)
    #expect(try #require(throws: StoreError.self) { try open().append(entry(1)) }.code == .notPrivate)
    #expect(symlink("/tmp/nowhere", folder.file("other.jsonl")) == 0)
    #expect(throws: StoreError.self) { try AuditLog(path: folder.file("other.jsonl")).append(entry(1)) }
  }

  @Test func aFileMayGrowWhileItIsRead() throws {
    let log = open()
    for number in 0..<3 { try log.append(entry(number)) }
    let tail = try #require(try LineTail(folder.file("audit.jsonl")))
    defer { tail.close() }
    try log.append(entry(3))
    #expect(try tail.previous().map { String(decoding: $0, as: UTF8.self) }?.contains("\"time\":2,") == true)
  }

  @Test func aFileWithoutLinesIsReadInParts() throws {
    try folder.write(String(repeating: "x", count: 3 << 20), to: "audit.jsonl")
    let tail = try #require(try LineTail(folder.file("audit.jsonl")))
    defer { tail.close() }
    var total = 0
    while let part = try tail.previous() {
      #expect(part.count <= 1 << 20 + 64 << 10)
      total += part.count
    }
    #expect(total == 3 << 20)
  }
}
