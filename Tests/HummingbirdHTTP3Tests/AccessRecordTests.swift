import Foundation
import TestSupport
import Testing

@testable import HummingbirdHTTP3

/// The lines of an access log.
struct AccessRecordTests {
  private static var record: AccessRecord {
    var record = AccessRecord(
      time: .milliseconds(1_795_734_901_042), clientAddress: "192.0.2.7", transport: .http3, method: "GET",
      authority: "example.org:8443", path: "/a", requestID: "id-1")
    record.duration = .microseconds(1_500)
    record.isResumed = true
    record.status = 200
    record.bytesReceived = 0
    record.bytesSent = 12
    record.userAgent = "curl/8.14"
    return record
  }

  @Test func aCombinedLine() {
    #expect(
      Self.record.line(.combined)
        == #"192.0.2.7 - - [26/Nov/2026:23:15:01 +0000] "GET /a HTTP/3.0" 200 12 "-" "curl/8.14" "#
        + #"host="example.org:8443" via=h3 in=0 time=0.001500 tls=resumed end=complete code=- id=id-1"#)
  }

  @Test func aJSONLine() {
    #expect(
      Self.record.line(.json)
        == #"{"time":"2026-11-26T23:15:01.042Z","client":"192.0.2.7","transport":"h3","method":"GET","#
        + #""authority":"example.org:8443","path":"/a","status":200,"bytes_received":0,"bytes_sent":12,"#
        + #""duration":0.001500,"resumed":true,"early_data":false,"end":"complete","code":null,"referrer":null,"#
        + #""user_agent":"curl/8.14","request_id":"id-1"}"#)
  }

  @Test func whatIsNotKnownIsADash() {
    var record = AccessRecord(
      time: .zero, clientAddress: nil, transport: .webSocket, method: "", authority: nil, path: "", requestID: "")
    record.ending = .left
    #expect(
      record.line(.combined)
        == #"- - - [01/Jan/1970:00:00:00 +0000] "- - HTTP/1.1" - - "-" "-" host="-" via=ws in=- time=0.000000 tls=- "#
        + "end=left code=- id=-")
    record.isEarlyData = true
    #expect(record.line(.combined).contains(" tls=early "))
  }

  /// A client chooses every text: none ends the line, imitates another's fields, or steers a terminal.
  @Test(arguments: AccessLogFormat.allCases, 0..<64)
  func noTextLeavesItsPlace(_ format: AccessLogFormat, _ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let spiteful: [Unicode.Scalar] = [
      "\"", "\\", "\n", "\r", "\0", "\u{1B}", "\u{7F}", "\u{9B}", "\u{2028}", "\u{202E}", "\u{1F600}", " ", "[", "]",
      "=",
      "a",
    ]
    func text() -> String {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        text.append(spiteful[Int.random(in: 0..<spiteful.count, using: &random)])
      }
      return String(text)
    }
    var record = Self.record
    record.method = text()
    record.path = text()
    record.authority = text()
    record.referrer = text()
    record.userAgent = text()
    record.requestID = text()
    let line = record.line(format)
    #expect(line.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "seed \(seed): \(line)")
    switch format {
    case .combined:
      // Four texts and no more stand between quotation marks.
      #expect(line.split(separator: "\"", omittingEmptySubsequences: false).count == 9, "seed \(seed): \(line)")
    case .json:
      let fields = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(fields.count == 17, "seed \(seed): \(line)")
      #expect(fields["path"] as? String == record.path, "seed \(seed)")
      #expect(fields["user_agent"] as? String == record.userAgent, "seed \(seed)")
    }
  }

  @Test(arguments: AccessLogFormat.allCases, ["x", "\"", "\u{1F600}"])
  func aLineIsLimited(_ format: AccessLogFormat, _ part: String) {
    let long = String(repeating: part, count: 100_000)
    var record = Self.record
    record.method = long
    record.path = long
    record.authority = long
    record.referrer = long
    record.userAgent = long
    record.requestID = long
    record.code = long
    record.clientAddress = long
    #expect(record.line(format).utf8.count < 16 << 10)
  }
}
