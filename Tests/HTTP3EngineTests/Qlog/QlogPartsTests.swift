import Foundation
import HTTP3Engine
import Testing

@Suite struct QlogPartsTests {
  // MARK: Writer

  @Test func anyTextIsOneJSONString() throws {
    for text in [
      "", "plain", "a\"b\\c", "\u{1e}\n\t\u{0}\u{7f}", "ü € 🙂", String(decoding: [0xff, 0xfe, 0x41], as: UTF8.self),
    ] {
      var writer = QlogWriter()
      writer.array { $0.text(text) }
      #expect(writer.bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7f })
      #expect(try JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [String] == [text])
    }
  }

  @Test func nestedValuesAreSeparated() {
    var writer = QlogWriter()
    writer.object {
      $0.number("a", 1)
      $0.array("b") {
        $0.array { $0.number(2) }
        $0.object { _ in }
        $0.bool(true)
      }
      $0.hex("c", [0x0a, 0xff])
      $0.text("d", "e")
    }
    #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"a":1,"b":[[2],{},true],"c":"0aff","d":"e"}"#)
    writer.removeAll()
    writer.number(UInt64.max)
    #expect(String(decoding: writer.bytes, as: UTF8.self) == "18446744073709551615")
  }

  @Test(
    arguments: [
      (0, "0"), (999, "0"), (1_000, "0.001"), (1_500_000, "1.5"), (12_340_000, "12.34"), (1_000_000_000, "1000"),
      (20_010_000, "20.01"),
    ] as [(UInt64, String)])
  func timesAreMillisecondsToTheMicrosecond(_ nanoseconds: UInt64, _ text: String) {
    var writer = QlogWriter()
    writer.milliseconds(nanoseconds: nanoseconds)
    #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
  }

  // MARK: Redaction

  @Test(arguments: [
    ("authorization", "Bearer x", "[redacted]"), ("Proxy-Authorization", "x", "[redacted]"),
    ("cookie", "a=b", "[redacted]"), ("x-resolvekit-chat-capability", "c", "[redacted]"), ("x-own", "o", "[redacted]"),
    ("set-cookie", "a=b", "[redacted]"), ("x-api-key", "k", "[redacted]"), ("x-session-token", "t", "[redacted]"),
    (":path", "/a/b?key=1", "/a/b?[redacted]"), (":path", "/a", "/a"), ("location", "/x#y", "/x#[redacted]"),
    (":status", "200", "200"), ("content-type", "text/plain?", "text/plain?"),
  ])
  func secretsAreNotWritten(_ name: String, _ value: String, _ written: String) {
    #expect(QlogRedaction.value(of: HeaderField(name, value)) == written)
  }

  @Test func whatTheOwnerCallsSensitiveIsNotWrittenAndLongValuesAreCut() {
    #expect(QlogRedaction.value(of: HeaderField("server", "v", isSensitive: true)) == "[redacted]")
    #expect(QlogRedaction.value(of: HeaderField("server", String(repeating: "v", count: 60_000))).utf8.count < 600)
  }

  // MARK: The library's log

  @Test(
    arguments: [
      ("I00000123 0x0a ldc pkn=42 lost type=1RTT sent_ts=77", .packetLost(.oneRTT, number: 42)),
      ("I00000123 0x0a ldc pkn=0 lost type=Initial sent_ts=77", .packetLost(.initial, number: 0)),
      ("I00000123 0x0a ldc loss_detection_timer=5000 timeout=3", .lossTimerSet(deadline: 5_000)),
      ("I00000123 0x0a ldc loss_detection_timer=5000 nonzero crypto loss time", .lossTimerSet(deadline: 5_000)),
      ("I00000123 0x0a ldc loss detection timer canceled", .lossTimerCancelled),
      ("I00000123 0x0a ldc loss detection timer fired", .lossTimerFired),
      ("I00000123 0x0a ldc pto_count=2", .probeCount(2)),
      ("I00000123 0x0a ldc persistent congestion loss_window=1 congestion_period=2", .persistentCongestion),
      ("I00000123 0x0a cca 1200 bytes acked, slow start cwnd=14000", .congestionState("slow_start")),
      ("I00000123 0x0a cca reduce cwnd because of packet loss cwnd=9", .congestionState("recovery")),
      ("I00000123 0x0a cca bbr enter Startup", .congestionState("bbr_startup")),
      ("I00000123 0x0a con discarding Initial packet number space", .keysDiscarded(level: "initial")),
      ("I00000123 0x0a con buffering 1RTT packet len=77", .packetBuffered(.oneRTT, length: 77)),
      ("I00000123 0x0a pkt rx pkn=3 dcid=0xab type=1RTT k=0", .packetSeen(.oneRTT, number: 3)),
      ("I00000123 0x0a pkt packet was discarded because of duplicated packet number", .duplicateDropped),
      (
        "I00000123 0x0a pkt packet was ignored because of mismatched DCID",
        .packetDropped(nil, trigger: "unknown_connection_id")
      ),
      ("I00000123 0x0a ldc pkn=4", nil), ("I00000123 0x0a ldc pkn=-1 lost type=1RTT", nil),
      ("I00000123 0x0a ldc pkn=99999999999999999999 lost type=1RTT", nil),
      ("I00000123 0x0a ldc pkn=4 lost type=1RT", nil), ("", nil), ("a b c", nil), ("    ", nil),
    ] as [(String, LibraryLogLine?)])
  func aLineIsReadOrPassedOver(_ line: String, _ expected: LibraryLogLine?) {
    #expect(LibraryLogLine(line[...]) == expected)
    for count in 0..<line.count { _ = LibraryLogLine(line.prefix(count)) }
  }

  // MARK: HTTP/3's frames

  @Test func framesAreFoundInAnyPieces() {
    // A control stream: type, SETTINGS (1 = 4096, 7 = 100), a reserved frame, GOAWAY 8, PRIORITY_UPDATE of stream 4; and
    // a request's HEADERS and DATA.
    let control: [UInt8] =
      [0x00, 0x04, 0x06, 0x01, 0x50, 0x00, 0x07, 0x40, 0x64, 0x21, 0x02, 9, 9, 0x07, 0x01, 0x08]
      + [0x80, 0x0f, 0x07, 0x00, 0x04, 0x04] + Array("u=1".utf8)
    let found: [HTTP3FrameScanner.Found] = [
      .streamType(0), .frame(type: 4, length: 6, contents: [1, 4_096, 7, 100]),
      .frame(type: 0x21, length: 2, contents: []), .frame(type: 7, length: 1, contents: [8]),
      .frame(type: 0xf0700, length: 4, contents: []), .priorityUpdate(element: 4, value: Array("u=1".utf8)),
    ]
    let request: [UInt8] = [0x01, 0x02, 1, 2, 0x00, 0x03, 1, 2, 3, 0x00, 0x00]
    let frames: [HTTP3FrameScanner.Found] = [
      .frame(type: 1, length: 2, contents: []), .frame(type: 0, length: 3, contents: []),
      .frame(type: 0, length: 0, contents: []),
    ]
    for size in 1...16 {
      #expect(Self.scan(control, isUnidirectional: true, size) == found)
      #expect(Self.scan(request, isUnidirectional: false, size) == frames)
      #expect(Self.scan([0x02, 1, 2, 3], isUnidirectional: true, size) == [.streamType(2)])
    }
  }

  @Test func fieldSectionsAreKeptUpToALimit() {
    let request: [UInt8] = [0x01, 0x02, 1, 2, 0x01, 0x03, 1, 2, 3, 0x01, 0x00, 0x00, 0x01, 9]
    for size in 1...16 {
      #expect(
        Self.scan(request, isUnidirectional: false, size, fieldSectionLimit: 2) == [
          .frame(type: 1, length: 2, contents: []), .fieldSection([1, 2]), .frame(type: 1, length: 3, contents: []),
          .fieldSection(nil), .frame(type: 1, length: 0, contents: []), .frame(type: 0, length: 1, contents: []),
        ])
    }
  }

  private static func scan(
    _ bytes: [UInt8], isUnidirectional: Bool, _ size: Int, fieldSectionLimit: UInt64? = nil
  ) -> [HTTP3FrameScanner.Found] {
    var scanner = HTTP3FrameScanner(isUnidirectional: isUnidirectional, fieldSectionLimit: fieldSectionLimit)
    var skipping = scanner
    var found: [HTTP3FrameScanner.Found] = []
    var foundBeside: [HTTP3FrameScanner.Found] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { bytes in
        scanner.scan(bytes) { found.append($0) }
        if !skipping.skip(bytes.count) { skipping.scan(bytes) { foundBeside.append($0) } }
      }
    }
    #expect(foundBeside == found, "payloads that are skipped in one step, in pieces of \(size)")
    return found
  }
}
