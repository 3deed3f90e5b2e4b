import HTTP3Engine
import HTTPTypes
import Testing

@testable import StreamTransport

@Suite struct FieldMappingTests {
  private static let head = [
    HeaderField(":method", "GET"), HeaderField(":scheme", "https"), HeaderField(":authority", "a"),
    HeaderField(":path", "/"),
  ]

  @Test func cookiesAreJoinedAndStaySo() throws {
    let request = try #require(
      FieldMapping.request(from: Self.head + [HeaderField("cookie", "a=1; b=2"), HeaderField("cookie", "c=3")]))
    #expect(request.headerFields[values: .cookie] == ["a=1; b=2; c=3"])
  }

  /// `HTTPFields` splits what is set by name, and traps above 65 534 fields.
  @Test func aCookieOfNothingButSemicolonsIsTaken() throws {
    let cookie = String(repeating: "; ", count: 100_000) + "a"
    let request = try #require(FieldMapping.request(from: Self.head + [HeaderField("cookie", cookie)]))
    #expect(request.headerFields[values: .cookie].map(\.utf8.count) == [200_001])
  }

  @Test func moreFieldsThanAMessageCanHaveMakeNone() {
    let fields = [HeaderField](repeating: HeaderField("x", ""), count: 70_000)
    #expect(FieldMapping.request(from: Self.head + fields) == nil)
    #expect(FieldMapping.response(from: [HeaderField(":status", "200")] + fields) == nil)
    #expect(FieldMapping.regularFields(of: fields) == nil)
  }
}
