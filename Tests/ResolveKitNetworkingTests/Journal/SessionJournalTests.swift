import Foundation
import ResolveKitCore
import ResolveKitNetworking
import Testing

/// The journal's file: kept, locked, mended, compacted.
struct SessionJournalTests {
  /// A folder of its own, which ends with the test.
  private final class Place {
    let folder = ResolveKitJournalFolder(
      path: FileManager.default.temporaryDirectory.appending(path: "journal-\(UUID().uuidString)/sessions").path)

    var files: [String] {
      get throws {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      }
    }

    func path(_ suffix: String) throws -> String {
      "\(folder.path)/\(try #require(files.first { $0.hasSuffix(suffix) }))"
    }

    deinit {
      try? FileManager.default.removeItem(
        at: URL(filePath: folder.path).deletingLastPathComponent())
    }
  }

  private static func begin(_ journal: SessionJournal, _ id: String = "s", at time: UInt64 = 1) {
    journal.append([.origin(server: "https://a.test", deviceID: "device"), .session(id: id), .history([])], time: time)
  }

  private static func say(_ journal: SessionJournal, _ text: String) {
    journal.append([.message(OutgoingMessage(requestID: "r-\(text)", text: text), at: 1)], time: 1)
    journal.append([.text("answer to \(text)"), .applied(eventID: "e-\(text)")], time: 2)
    journal.append([.turnFinished(.complete, reason: nil)], time: 3)
  }

  @Test func whatWasAppendedIsThereAfterwards() async throws {
    let place = Place()
    let (reports, continuation) = AsyncStream<Int>.makeStream()
    let journal = try place.folder.open("s") { _, progress in
      if case .reached(let position) = progress { continuation.yield(position) }
    }
    Self.begin(journal)
    Self.say(journal, "hello")
    var last = 0
    for await position in reports {
      #expect(position >= last)
      last = position
      if position == 4 { break }
    }
    // The lock is held: the place is known to be on the disk, and read without it.
    let stored = try place.folder.session("s")
    #expect(stored.transcript.map(\.text) == ["hello", "answer to hello"])
    #expect(stored.isInUse && stored.cursor == "e-hello" && !stored.isTurnInProgress)
    #expect(stored.title == "hello" && stored.deviceID == "device" && stored.server == "https://a.test")
    await journal.close()
    #expect(try !place.folder.session("s").isInUse)
    let again = try place.folder.open("s") { _, _ in }
    #expect(again.image == journal.image && again.findings.isEmpty)
    await again.close()
  }

  @Test func onlyTheOwnerMayReadIt() async throws {
    let place = Place()
    let journal = try place.folder.open("../s/é") { _, _ in }
    Self.begin(journal, "../s/é")
    await journal.close()
    for name in try place.files {
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(place.folder.path)/\(name)")
      #expect((attributes[.posixPermissions] as? Int) == 0o600, "\(name)")
    }
    let folder = try FileManager.default.attributesOfItem(atPath: place.folder.path)
    #expect((folder[.posixPermissions] as? Int) == 0o700)
    #expect(try place.folder.session("../s/é").id == "../s/é")
  }

  @Test func aSecondUserIsTurnedAway() async throws {
    let place = Place()
    let journal = try place.folder.open("s") { _, _ in }
    do {
      _ = try place.folder.open("s") { _, _ in }
      Issue.record("the journal was opened twice")
    } catch {
      #expect(error.code == .inUse)
      #expect(error.message.contains("End that one"))
    }
    await journal.close()
    await (try place.folder.open("s") { _, _ in }).close()
  }

  @Test func aTornTailIsCutAndReported() async throws {
    let place = Place()
    let journal = try place.folder.open("s") { _, _ in }
    Self.begin(journal)
    Self.say(journal, "one")
    await journal.close()
    let path = try place.path(".journal")
    let bytes = try Data(contentsOf: URL(filePath: path))
    try bytes.dropLast(5).write(to: URL(filePath: path))
    let again = try place.folder.open("s") { _, _ in }
    #expect(again.findings.count == 1 && again.findings[0].contains("cut off"))
    #expect(again.image.turn?.text == "answer to one")
    Self.say(again, "two")
    await again.close()
    let last = try place.folder.open("s") { _, _ in }
    #expect(last.findings.isEmpty)
    #expect(last.image.transcript.map(\.text).suffix(2) == ["two", "answer to two"])
    await last.close()
  }

  @Test func aDamagedMiddleIsKeptAsideAndReported() async throws {
    let place = Place()
    let journal = try place.folder.open("s") { _, _ in }
    Self.begin(journal)
    Self.say(journal, "one")
    Self.say(journal, "two")
    await journal.close()
    let path = try place.path(".journal")
    var bytes = try Data(contentsOf: URL(filePath: path))
    let place1 = try #require(bytes.firstRange(of: Data("answer to one".utf8)))
    bytes[place1.lowerBound] ^= 1
    try bytes.write(to: URL(filePath: path))
    let again = try place.folder.open("s") { _, _ in }
    #expect(again.findings.count == 1 && again.findings[0].contains("damaged"))
    #expect(again.image.transcript.map(\.text) == ["one", "two", "answer to two"])
    await again.close()
    let copy = try #require(try place.files.first { $0.contains(".damaged-") })
    #expect(try Data(contentsOf: URL(filePath: "\(place.folder.path)/\(copy)")) == bytes)
    let last = try place.folder.open("s") { _, _ in }
    #expect(last.findings.isEmpty && last.image == again.image)
    await last.close()
    #expect(try place.folder.sessions().map(\.id) == ["s"])
  }

  @Test("Invariant 14: a long conversation leaves a small file")
  func longConversationsAreCompacted() async throws {
    let place = Place()
    let journal = try place.folder.open("s") { _, _ in }
    Self.begin(journal)
    let text = String(repeating: "word ", count: 2000)
    for turn in 1...600 {
      journal.append([.message(OutgoingMessage(requestID: "r\(turn)", text: "go"), at: 1)], time: 1)
      for part in 0..<4 { journal.append([.text(text), .applied(eventID: "\(turn)-\(part)")], time: 2) }
      journal.append([.turnFinished(.complete, reason: nil)], time: 3)
      await journal.room()
    }
    await journal.close()
    // 24 MB were written; what is kept of them is at most 4 MiB of text.
    #expect(journal.fileSize < 20 << 20)
    let again = try place.folder.open("s") { _, _ in }
    #expect(again.image == journal.image && again.findings.isEmpty)
    #expect(again.image.cursor == "600-3")
    #expect(again.image.droppedMessages + again.image.transcript.count == 1200)
    await again.close()
  }

  @Test func sessionsAreListedAndForgotten() async throws {
    let place = Place()
    #expect(try place.folder.sessions().isEmpty)
    for (index, id) in ["a", "b", "c"].enumerated() {
      let journal = try place.folder.open(id, now: { UInt64(1000 * (index + 1)) }) { _, _ in }
      Self.begin(journal, id)
      Self.say(journal, "\(id)\nsecond line")
      await journal.close()
    }
    #expect(try place.folder.sessions().map(\.id) == ["c", "b", "a"])
    #expect(try place.folder.sessions().map(\.title) == ["c", "b", "a"])
    try place.folder.remove("b")
    #expect(try place.folder.sessions().map(\.id) == ["c", "a"])
    for call in [{ try place.folder.remove("b") }, { _ = try place.folder.session("b") }] {
      #expect { try call() } throws: { ($0 as? JournalError)?.code == .notFound }
    }
  }

  @Test func aFolderThatCannotBeMadeIsNamed() throws {
    let path = "/proc/agent-stream-journal"
    do {
      _ = try ResolveKitJournalFolder(path: path).open("s") { _, _ in }
      Issue.record("a journal in /proc")
    } catch {
      #expect(error.code == .inputOutput && error.message.contains("Give another folder"))
    }
  }
}
