import TestSupport
import Testing

@testable import ResolveKitCore

/// The bytes of a journal: whole, torn, damaged, and of others.
struct JournalFormatTests {
  private static let key = ToolCallKey(turnID: "t", callID: "c")
  private static let call = ToolCall(
    key: key,
    request: ResolveKitToolCallRequest(callID: "c", functionName: "f", arguments: ["n": .number(0.1), "s": "é\u{0}"]),
    requiresApproval: true, arrivedAt: 7)
  private static let payload = ResolveKitToolResultPayload(
    turnID: "t", idempotencyKey: "c", callID: "c", status: .success, result: ["x": [1, nil, true, "y"]])

  /// One of each kind, an order in which they could come.
  private static let entries: [[JournalEntry]] = [
    [.origin(server: "https://a.test/agent", deviceID: "d"), .session(id: "s"), .history([])],
    [.message(OutgoingMessage(requestID: "r", text: "grüß\ndich"), at: 5)],
    [.heard(turnID: "t"), .text("a"), .applied(eventID: "1-0")],
    [.correctedText("b"), .applied(eventID: "2-0")],
    [.call(call), .intended(call), .applied(eventID: "3-0")],
    [.result(key, payload, .completed)],
    [.settled(key, .deduplicated, at: 9)],
    [.humanMessage(id: "m", text: "x"), .escalated(reason: "why"), .applied(eventID: "4-0")],
    [.foreignTurn(id: "z", text: "other", isShown: true), .cursorDropped],
    [.abandoned(TurnReference(requestID: "q", turnID: "p")), .abandonedEnded(requestID: "q", turnID: "p")],
    [.turnFinished(.complete, reason: nil), .applied(eventID: "5-0")],
  ]

  private static var records: [JournalRecord] {
    entries.enumerated().map { index, entries in
      JournalRecord(
        sequence: UInt64(index + 1), wallMilliseconds: UInt64(1000 + index), time: UInt64(index), entries: entries)
    }
  }

  private static func bytes() throws -> (bytes: [UInt8], ends: [Int]) {
    var bytes = JournalFormat.header
    var ends = [bytes.count]
    for record in records {
      bytes += try JournalFormat.encode(record)
      ends.append(bytes.count)
    }
    return (bytes, ends)
  }

  private static func image(_ count: Int) -> SessionImage {
    var image = SessionImage()
    for record in records.prefix(count) { image.apply(record) }
    return image
  }

  @Test func whatIsWrittenIsRead() throws {
    let reader = try JournalReader(Self.bytes().bytes)
    #expect(reader.image == Self.image(Self.records.count))
    #expect(reader.records == Self.records.count)
    #expect(!reader.isDamaged && reader.tornBytes == 0)
    #expect(reader.image.transcript.map(\.text) == ["grüß\ndich", "x", "other", "b"])
    #expect(reader.image.cursor == "5-0" && reader.image.turn == nil)
    #expect(reader.image.startedAt == 1000 && reader.image.updatedAt == 1010)
  }

  @Test func aCompactedJournalIsTheSame() throws {
    let image = Self.image(7)
    let record = JournalRecord(sequence: 90, wallMilliseconds: 1, time: image.time, entries: [.image(image)])
    let reader = try JournalReader(JournalFormat.header + JournalFormat.encode(record))
    #expect(reader.image == image && !reader.isDamaged)
    let again = try ResolveKitJSON.encode(Self.payload)
    guard case .settled(let kept, _, _, _) = try #require(reader.image.calls.first).progress else {
      Issue.record("the call is not settled")
      return
    }
    #expect(try ResolveKitJSON.encode(kept) == again)
  }

  @Test func aTornTailIsCutAtEveryByte() throws {
    let (bytes, ends) = try Self.bytes()
    for length in 0...bytes.count {
      let reader = try JournalReader(Array(bytes.prefix(length)))
      let whole = ends.lastIndex { $0 <= length } ?? 0
      #expect(reader.image == Self.image(whole), "\(length) bytes")
      #expect(reader.tornBytes == length - (ends.last { $0 <= length } ?? 0), "\(length) bytes")
      #expect(!reader.isDamaged, "\(length) bytes")
    }
  }

  @Test func noFlippedByteGoesUnnoticed() throws {
    let (bytes, ends) = try Self.bytes()
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x41
      do {
        let reader = try JournalReader(damaged)
        let isLast = index >= ends[ends.count - 2]
        #expect(isLast ? reader.tornBytes > 0 : reader.damage.count == 1, "byte \(index)")
        #expect(reader.records == Self.records.count - 1, "byte \(index)")
      } catch {
        let isHeader = index < JournalFormat.header.count
        #expect(isHeader ? error.code == .notAJournal || error.code == .newerVersion : error.code == .damaged)
        #expect(isHeader || index < ends[1], "byte \(index): \(error)")
      }
    }
  }

  @Test func aRecordThatIsMissingIsNoticed() throws {
    let (bytes, ends) = try Self.bytes()
    let reader = try JournalReader(Array(bytes[..<ends[3]] + bytes[ends[4]...]))
    #expect(reader.missingRecords == 1 && reader.isDamaged)
  }

  @Test func othersFilesAreRefused() throws {
    for (text, code) in [
      ("SQLite format 3\u{0}and more", .notAJournal), ("x", .notAJournal),
      ("rk-journal 0002\nnew things", .newerVersion),
    ] as [(String, JournalError.Code)] {
      do {
        _ = try JournalReader(Array(text.utf8))
        Issue.record("\(text) was read")
      } catch {
        #expect(error.code == code)
      }
    }
  }

  @Test("Invariant 14: no bytes trap", arguments: 1...200 as ClosedRange<UInt64>)
  func noBytesTrap(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (bytes, _) = try Self.bytes()
    for _ in 0..<Int.random(in: 1...40, using: &random) {
      let index = Int.random(in: JournalFormat.header.count..<bytes.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.removeSubrange(index..<min(index + Int.random(in: 1...60, using: &random), bytes.count))
      default: bytes.insert(contentsOf: JournalFormat.marker, at: index)
      }
      if bytes.count <= JournalFormat.header.count { break }
    }
    do {
      let reader = try JournalReader(bytes)
      #expect(
        reader.isDamaged || reader.tornBytes > 0 || reader.image == Self.image(Self.records.count), "seed \(seed)")
    } catch {
      #expect(error.code == .damaged || error.code == .newerVersion, "seed \(seed)")
    }
  }

  @Test func aRecordThatNoReaderWouldTakeIsNotWritten() throws {
    let text = String(repeating: "x", count: JournalFormat.maximumPayload - 5)
    for (text, isTaken) in [(text, true), (text + "x", false)] {
      let record = JournalRecord(sequence: 1, wallMilliseconds: 1, time: 1, entries: [.text(text)])
      let bytes = try? JournalFormat.encode(record)
      #expect((bytes != nil) == isTaken)
    }
  }

  @Test("What is as deep as a call and a result may be is read again", arguments: 115...128)
  func theDeepestValuesAreRead(depth: Int) throws {
    func nested(_ depth: Int) -> JSONValue {
      depth == 0 ? .number(1) : .object(["n": nested(depth - 1)])
    }
    // The arguments are an object within an event's payload.
    let arguments: JSONObject = ["n": nested(min(depth, 127) - 1)]
    let call = ToolCall(
      key: Self.key, request: ResolveKitToolCallRequest(callID: "c", functionName: "f", arguments: arguments),
      requiresApproval: true, arrivedAt: 7)
    let payload = ResolveKitToolResultPayload(
      turnID: "t", idempotencyKey: "c", callID: "c", status: .success, result: nested(depth))
    let message = OutgoingMessage(requestID: "r", text: "go")
    let entries: [[JournalEntry]] = [
      [.session(id: "s"), .history([]), .message(message, at: 1), .heard(turnID: "t")], [.call(call)],
      [.intended(call)], [.result(Self.key, payload, .completed)], [.settled(Self.key, .accepted, at: 9)],
    ]
    var image = SessionImage()
    var bytes = JournalFormat.header
    for (index, entries) in entries.enumerated() {
      let record = JournalRecord(sequence: UInt64(index + 1), wallMilliseconds: 1, time: 1, entries: entries)
      image.apply(record)
      bytes += try JournalFormat.encode(record)
      #expect(try JournalReader(bytes).image == image)
      let folded = JournalRecord(sequence: 9, wallMilliseconds: 1, time: 1, entries: [.image(image)])
      #expect(try JournalReader(JournalFormat.header + JournalFormat.encode(folded)).image == image)
    }
  }

  @Test("Invariant 14: no sequence traps", arguments: [.max, 1 << 63, (1 << 62) + 1, 1 << 62] as [UInt64])
  func noSequenceTraps(sequence: UInt64) throws {
    func read(_ sequences: [UInt64]) throws -> JournalReader {
      var bytes = JournalFormat.header
      for sequence in sequences {
        bytes += try JournalFormat.encode(
          JournalRecord(sequence: sequence, wallMilliseconds: 1, time: 1, entries: [.session(id: "s")]))
      }
      return try JournalReader(bytes)
    }
    let isTaken = sequence <= JournalFormat.maximumSequence
    let pair = try read([sequence, 1])
    #expect(pair.image.sessionID == "s" && pair.records == (isTaken ? 2 : 1))
    #expect(pair.isDamaged == !isTaken)
    // Gaps that are more than a number holds.
    let many = try read([1, sequence, 1, sequence, 1, sequence, 1, sequence, 1, sequence, 1])
    #expect(many.image.sessionID == "s" && many.isDamaged)
  }

  @Test func aJournalWhoseProcessEndedBeforeItHadASessionIsEmpty() throws {
    let origin = JournalEntry.origin(server: "https://a.test", deviceID: "d")
    let record = JournalRecord(sequence: 1, wallMilliseconds: 1, time: 1, entries: [origin])
    let reader = try JournalReader(JournalFormat.header + JournalFormat.encode(record))
    #expect(reader.records == 1 && reader.image.sessionID == nil && !reader.isDamaged)
  }

  @Test("Invariant 14: what is kept is bounded")
  func theImageIsBounded() {
    var image = SessionImage()
    for index in 1...9000 {
      let id = "\(index)"
      image.apply(
        JournalRecord(
          sequence: UInt64(index), wallMilliseconds: 0, time: 0,
          entries: [
            .message(OutgoingMessage(requestID: id, text: "question \(id)"), at: 0), .heard(turnID: id),
            .call(
              ToolCall(
                key: ToolCallKey(turnID: id, callID: "c"), request: Self.call.request, requiresApproval: false,
                arrivedAt: 0)),
            .result(ToolCallKey(turnID: id, callID: "c"), Self.payload, .completed),
            .settled(ToolCallKey(turnID: id, callID: "c"), .accepted, at: 0), .text("answer"),
            .turnFinished(.complete, reason: nil), .applied(eventID: id),
          ]))
    }
    #expect(image.calls.isEmpty)
    #expect(image.transcript.count <= SessionImage.maximumMessages)
    #expect(image.transcript.count + image.droppedMessages == 18_000)
    #expect(image.transcript.last?.text == "answer")
    #expect(image.seen.ids.count == TurnPolicy().maximumEventIDs)
    #expect(image.title == "question 1")
  }
}
