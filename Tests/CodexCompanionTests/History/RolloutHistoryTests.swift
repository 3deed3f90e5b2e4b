import Foundation
import Testing

@testable import CodexCompanion

@Suite final class RolloutHistoryTests {
  private let home = NSTemporaryDirectory() + "history-test-\(UUID().uuidString)"
  private let chat = TestRollout.chat
  private let day = "sessions/2026/11/25"

  init() throws { try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: home) }

  private func path(_ segment: String, in day: String? = nil) -> String {
    "\(home)/\(day ?? self.day)/rollout-2026-11-25T12-51-07-\(segment).jsonl"
  }

  private func write(_ text: String, _ segment: String, in day: String? = nil) throws {
    let file = URL(filePath: path(segment, in: day))
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private func append(_ text: String, _ segment: String) throws {
    let file = try FileHandle(forWritingTo: URL(filePath: path(segment)))
    try file.seekToEnd()
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
  }

  private func texts(_ history: RolloutHistory, of chat: String? = nil) async throws -> [String] {
    try await history.timeline(of: chat ?? self.chat).messages.map(\.text)
  }

  @Test func whatIsAddedIsReadWhenAsked() async throws {
    let history = RolloutHistory(codexHome: home)
    try write(TestRollout.session(chat) + TestRollout.user("one"), chat)
    #expect(try await texts(history) == ["one"])
    #expect(try await texts(history) == ["one"])
    let line = TestRollout.agent("two")
    try append(String(line.prefix(50)), chat)
    #expect(try await texts(history) == ["one"])
    try append(String(line.dropFirst(50)) + TestRollout.user("three"), chat)
    #expect(try await texts(history) == ["one", "two", "three"])
    #expect(
      try await history.timeline(of: chat).messages.map(\.id) == [
        "\(chat):user:2", "\(chat):assistant:3", "\(chat):user:4",
      ])
    try write(TestRollout.session(chat) + TestRollout.user("new"), chat)
    #expect(try await texts(history) == ["new"], "A file in the place of another is read from its beginning.")
    try write(TestRollout.user("n"), chat)
    #expect(try await texts(history) == ["n"])
  }

  @Test func theFileIsOnlyRead() async throws {
    let bytes = try TestRollout.bytes("full")
    try write(String(decoding: bytes, as: UTF8.self), chat)
    let file = path(chat)
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: file)
    let before = try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
    _ = try await RolloutHistory(codexHome: home).timeline(of: chat)
    #expect(FileManager.default.contents(atPath: file) == Data(bytes))
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: home) == ["sessions"])
  }

  /// The form of the real thing: `thread/revert` twice, then `thread/fork`.
  @Test func turnsThatWereTakenBackAreGone() async throws {
    let first = "01a212d4-c4a4-74c1-bf6a-93f53852bffa"
    let second = "01a212d4-c98c-79a2-bb10-83da9b487ffe"
    let fork = "01a212d4-cead-7193-a24f-861925f905f5"
    let history = RolloutHistory(codexHome: home)
    let start = TestRollout.session(chat) + TestRollout.user("q0") + TestRollout.agent("a0")
    try write(start + TestRollout.user("q1"), chat)
    #expect(try await texts(history) == ["q0", "a0", "q1"])
    let next = TestRollout.session(chat, base: chat, end: start.utf8.count) + TestRollout.user("q2")
    try write(next + TestRollout.agent("a2"), "\(chat)_\(first)", in: "sessions/2026/11/26")
    #expect(try await texts(history) == ["q0", "a0", "q2", "a2"])
    let last = TestRollout.session(chat, base: first, end: next.utf8.count) + TestRollout.agent("a3")
    try write(last, "\(chat)_\(second)")
    #expect(try await texts(history) == ["q0", "a0", "q2", "a3"])
    try write(TestRollout.session(fork, base: second, end: last.utf8.count) + TestRollout.user("f"), fork)
    #expect(try await texts(history, of: fork) == ["q0", "a0", "q2", "a3", "f"])
    #expect(try await history.timeline(of: fork, limit: 2).messages.map(\.text) == ["a3", "f"])
    #expect(try await history.timeline(of: fork, before: 4).messages.map(\.text) == ["q0", "a0"])
    try FileManager.default.removeItem(atPath: path(chat))
    let error = await #expect(throws: HistoryError.self) { try await history.timeline(of: fork) }
    #expect(error?.code == .unreadable)
  }

  @Test func aCircleOfSegmentsEnds() async throws {
    try write(TestRollout.session(chat, base: chat, end: 10), chat)
    let error = await #expect(throws: HistoryError.self) { try await self.texts(RolloutHistory(codexHome: self.home)) }
    #expect(error?.code == .unreadable)
  }

  @Test(arguments: [
    "", "..", "../../etc/passwd", "01A212C2-832F-7590-AC67-70AA308C3C09", "01a212c2-832f-7590-ac67-70aa308c3c0",
    "01a212c2-832f-7590-ac67-70aa308c3c09.jsonl", "*", "01a212c2-832f-7590-ac67-70aa308c3c0/", "01a212c2\0",
  ])
  func anIDThatIsNoneIsRefused(id: String) async throws {
    let error = await #expect(throws: HistoryError.self) {
      try await RolloutHistory(codexHome: self.home).timeline(of: id)
    }
    #expect(error?.code == .invalidID)
  }

  @Test func whatIsNoFileOfCodexIsNotRead() async throws {
    try write(TestRollout.user("outside"), chat, in: "elsewhere/2026/11/25")
    let files = FileManager.default
    for folder in ["sessions/2026/11/25", "sessions/2026/10", "sessions/2025"] {
      try files.createDirectory(atPath: "\(home)/\(folder)", withIntermediateDirectories: true)
    }
    let target = path(chat, in: "elsewhere/2026/11/25")
    try files.createSymbolicLink(atPath: path(chat), withDestinationPath: target)
    try files.createSymbolicLink(
      atPath: "\(home)/sessions/2026/10/01", withDestinationPath: "\(home)/elsewhere/2026/11/25")
    try files.createSymbolicLink(atPath: "\(home)/sessions/2024", withDestinationPath: "\(home)/elsewhere/2026")
    #expect(mkfifo("\(home)/sessions/2026/11/25/rollout-x-\(chat).jsonl", 0o600) == 0)
    try files.createDirectory(
      atPath: "\(home)/sessions/2026/11/25/rollout-y-\(chat).jsonl", withIntermediateDirectories: true)
    let history = RolloutHistory(codexHome: home)
    let error = await #expect(throws: HistoryError.self) { try await history.timeline(of: self.chat) }
    #expect(error?.code == .notFound)
    try write(TestRollout.user("inside"), chat, in: "sessions/2025/01/01")
    #expect(try await texts(history) == ["inside"])
  }

  @Test func aHomeWithoutHistoriesHasNone() async throws {
    let error = await #expect(throws: HistoryError.self) { try await self.texts(RolloutHistory(codexHome: self.home)) }
    #expect(error?.code == .notFound)
  }

  @Test func oneReaderTooManyIsRefused() async throws {
    try write(TestRollout.user("one"), chat)
    var limits = HistoryLimits()
    limits.readers = 0
    let history = RolloutHistory(codexHome: home, limits: limits)
    let error = await #expect(throws: HistoryError.self) { try await history.timeline(of: self.chat) }
    #expect(error?.code == .busy)
  }

  @Test func tooManyFilesEndTheSearch() async throws {
    for index in 10..<40 { try write("", "01a212c2-832f-7590-ac67-70aa308c3c\(index)") }
    var limits = HistoryLimits()
    limits.files = 20
    let history = RolloutHistory(codexHome: home, limits: limits)
    let error = await #expect(throws: HistoryError.self) { try await history.timeline(of: self.chat) }
    #expect(error?.code == .unreadable)
  }

  /// 8 MB; `ROLLOUT_TEST_MEGABYTES=200` to see that a large one takes no more memory.
  @Test func aLargeFileIsReadInParts() async throws {
    let megabytes = ProcessInfo.processInfo.environment["ROLLOUT_TEST_MEGABYTES"].flatMap(Int.init) ?? 8
    try write(TestRollout.session(chat), chat)
    let file = try FileHandle(forWritingTo: URL(filePath: path(chat)))
    try file.seekToEnd()
    let text = String(repeating: "line of output ", count: 4_000)
    let call =
      #"{"timestamp":"2026-11-25T12:00:00.000Z","ordinal":1,"type":"response_item","payload":{"output":"\#(text)"}}"#
    let command =
      #"{"type":"CommandExecution","id":"c","command":["/bin/sh","-lc","x"],"aggregated_output":"\#(text)"}"#
    var written = 0
    var count = 0
    while written < megabytes << 20 {
      count += 1
      let text =
        TestRollout.user("question \(count)") + call + "\n" + TestRollout.item(command)
        + TestRollout.agent("answer \(count)")
      try file.write(contentsOf: Data(text.utf8))
      written += text.utf8.count
    }
    try file.close()
    let history = RolloutHistory(codexHome: home)
    let before = Self.peakMegabytes
    let timeline = try await history.timeline(of: chat)
    // Two of three entries are messages.
    let most = 2 * HistoryLimits().entries / 3
    #expect(timeline.messages.count == 2 * count || (most...most + 1).contains(timeline.messages.count))
    #expect(timeline.messages.last?.text == "answer \(count)")
    print("A rollout of \(written >> 20) MB: the process's peak grew from \(before) to \(Self.peakMegabytes) MB.")
  }

  /// The most memory that this process has had.
  private static var peakMegabytes: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(separator: " ").dropLast().last.flatMap { Int($0) } ?? 0) / 1_024
  }
}

@Suite struct RolloutNameTests {
  private let id = TestRollout.chat
  private let other = "01a212d4-c4a4-74c1-bf6a-93f53852bffa"

  @Test func threadAndSegmentAreReported() {
    let first = RolloutName("rollout-2026-11-25T12-51-07-\(id).jsonl")
    #expect(first?.threadID == id && first?.segmentID == id)
    let later = RolloutName("rollout-2026-11-25T12-51-07-\(id)_\(other).jsonl")
    #expect(later?.threadID == id && later?.segmentID == other)
  }

  @Test(arguments: [
    "", "rollout-", "rollout-.jsonl", "rollout-01a212c2-832f-7590-ac67-70aa308c3c09.jsonl", "x-01a212c2.jsonl",
    "rollout-2026-\(TestRollout.chat).json", "rollout-2026\(TestRollout.chat).jsonl",
    "rollout-2026-x_\(TestRollout.chat).jsonl",
    "rollout-2026-\(TestRollout.chat)__\(TestRollout.chat).jsonl",
  ])
  func otherNamesAreNone(name: String) { #expect(RolloutName(name) == nil) }
}
