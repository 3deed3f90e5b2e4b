import Foundation
import ResolveKitCore
import ResolveKitNetworking
import StreamTransport
import TestSupport
import Testing

/// Invariant 7, with a disk that fails: what was reported as stored is there afterwards, and nothing else.
struct FullDiskTests {
  private let folder = ResolveKitJournalFolder(
    path: FileManager.default.temporaryDirectory.appending(path: "full-disk-\(UUID().uuidString)").path)

  private static let records: [[JournalEntry]] = [
    [.origin(server: "https://a.test", deviceID: "device"), .session(id: "s"), .history([])],
    [.message(OutgoingMessage(requestID: "r1", text: "hello"), at: 1)], [.heard(turnID: "t1"), .applied(eventID: "1")],
    [.text("an "), .applied(eventID: "2")],
    [.text("answer"), .turnFinished(.complete, reason: nil), .applied(eventID: "3")],
    [.message(OutgoingMessage(requestID: "r2", text: "again"), at: 2)],
  ]

  private struct Run {
    /// The journal's contents after each record.
    var images: [SessionImage] = []
    /// Records that were reported as durable as they ask to be.
    var reached = 0
    var failure: JournalError?
  }

  /// Appends one record after the other, each once the one before is reported, until one fails.
  private func run(on disk: FaultyDisk) async -> Run {
    var run = Run()
    let (reports, continuation) = AsyncStream<SessionJournal.Progress>.makeStream()
    let journal: SessionJournal
    do {
      journal = try folder.open("s", disk: disk.disk, now: { 1 }) { continuation.yield($1) }
    } catch {
      run.failure = error
      return run
    }
    run.images.append(journal.image)
    var reader = reports.makeAsyncIterator()
    for entries in Self.records {
      let place = journal.append(entries, time: 1)
      run.images.append(journal.image)
      switch await reader.next() {
      case .reached(let position)?:
        #expect(position == place)
        run.reached = position
      case .failed(let error)?:
        run.failure = error
      case nil:
        Issue.record("no report")
      }
      if run.failure != nil { break }
    }
    await journal.close()
    return run
  }

  @Test(arguments: FaultyDisk.Fault.allCases)
  func whatWasReportedIsThereAfterwardsAndNothingElse(fault: FaultyDisk.Fault) async throws {
    defer { try? FileManager.default.removeItem(atPath: folder.path) }
    let whole = FaultyDisk(fault)
    let expected = await run(on: whole)
    #expect(expected.failure == nil && expected.reached == Self.records.count)
    #expect(whole.calls > 4)
    for call in 1...whole.calls {
      try FileManager.default.removeItem(atPath: folder.path)
      let disk = FaultyDisk(fault, failingCall: call)
      let run = await run(on: disk)
      let failure = try #require(run.failure, "call \(call)")
      #expect(failure.code == .inputOutput)
      if fault != .broken { #expect(failure.message.contains("Make room on the disk."), "\(failure)") }
      // While the disk stays as it is, the next one fails the same way, or finds room in what there was.
      let again = try folder.open("s", now: { 1 }) { _, _ in }
      let kept = expected.images.firstIndex(of: again.image)
      let durable = Self.records[..<run.reached].lastIndex { $0.contains(where: \.isDurable) }.map { $0 + 1 } ?? 0
      #expect(kept == durable, "call \(call): \(run.reached) records were reported")
      #expect(again.findings.isEmpty, "what was half written was cut at once: \(again.findings)")
      for entries in Self.records[durable...] { again.append(entries, time: 1) }
      await again.close()
      let last = try folder.open("s") { _, _ in }
      #expect(last.image == expected.images.last && last.findings.isEmpty, "call \(call)")
      await last.close()
    }
  }

  @Test func compactionOnAFullDiskLeavesTheOldFile() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder.path) }
    let text = String(repeating: "word ", count: 60_000)
    func fill(_ disk: Disk) async throws -> (failure: JournalError?, image: SessionImage) {
      let (reports, continuation) = AsyncStream<SessionJournal.Progress>.makeStream()
      let journal = try folder.open("s", disk: disk) { continuation.yield($1) }
      var failure: JournalError?
      var reader = reports.makeAsyncIterator()
      var image = journal.image
      for number in 0..<6 where failure == nil {
        image = journal.image
        let message = OutgoingMessage(requestID: "\(number)", text: "\(number)")
        let session: [JournalEntry] = number == 0 ? [.session(id: "s")] : []
        let turn: [JournalEntry] = [.message(message, at: 1), .text(text), .turnFinished(.complete, reason: nil)]
        journal.append(session + turn, time: 1)
        if case .failed(let error)? = await reader.next() { failure = error }
      }
      await journal.close()
      return (failure, image)
    }
    let whole = FaultyDisk(.full)
    #expect(try await fill(whole.disk).failure == nil)
    #expect(whole.calls == 7, "the header, five records, and one file in the place of the fourth and those before")
    try FileManager.default.removeItem(atPath: folder.path)
    let (failure, image) = try await fill(FaultyDisk(.full, failingCall: 5).disk)
    #expect(failure?.message.contains("cannot be replaced") == true)
    let again = try folder.open("s") { _, _ in }
    #expect(again.image.transcript == image.transcript && again.image.transcript.count == 6)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2, "no draft is left")
    await again.close()
  }

  @Test func aSessionTooLargeForOneRecordIsNotCompacted() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder.path) }
    let journal = try folder.open("s") { _, _ in }
    journal.append([.session(id: "s"), .history([])], time: 1)
    // Results of a turn that continues: each is kept, since it may have to be delivered again.
    let result = JSONValue.string(String(repeating: "x", count: 1 << 20))
    for number in 0..<66 {
      let key = ToolCallKey(turnID: "t", callID: "\(number)")
      let payload = ResolveKitToolResultPayload(
        turnID: "t", idempotencyKey: "\(number)", callID: "\(number)", status: .success, result: result)
      journal.append([.result(key, payload, .completed)], time: 1)
      await journal.room()
    }
    await journal.close()
    let again = try folder.open("s") { _, _ in }
    #expect(again.findings.isEmpty)
    #expect(again.image.undelivered.count == 66)
    await again.close()
  }
}
