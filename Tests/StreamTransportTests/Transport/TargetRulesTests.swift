import HTTPTypes
import StreamTransport
import Testing

@Suite struct TargetRulesTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var name: String
    var expected: Int?
    var method = HTTPRequest.Method.get
    var scheme: String? = "https"
    var authority: String? = "example.com"
    var path: String? = "/x"
    var hosts: [String] = []
    var form = TargetRules.Form.fields

    var testDescription: String { name }

    var request: HTTPRequest {
      var fields = HTTPFields()
      if let name = HTTPField.Name("host") { for host in hosts { fields.append(HTTPField(name: name, value: host)) } }
      return HTTPRequest(method: method, scheme: scheme, authority: authority, path: path, headerFields: fields)
    }
  }

  @Test(arguments: [
    Row(name: "as it should be", expected: nil), Row(name: "scheme in capitals", expected: nil, scheme: "HTTPS"),
    Row(name: "another scheme", expected: 400, scheme: "ftp"), Row(name: "http", expected: 400, scheme: "http"),
    Row(name: "no scheme", expected: 400, scheme: nil), Row(name: "no slash", expected: 400, path: "x"),
    Row(name: "empty path", expected: 400, path: ""), Row(name: "no path", expected: 400, path: nil),
    Row(name: "absolute form", expected: 400, path: "https://example.com/x"),
    Row(name: "asterisk", expected: nil, method: .options, path: "*"),
    Row(name: "asterisk of GET", expected: 400, path: "*"),
    Row(name: "host alone", expected: nil, authority: nil, hosts: ["example.com"]),
    Row(name: "equal host", expected: nil, hosts: ["EXAMPLE.com"]),
    Row(name: "another host", expected: 400, hosts: ["other.com"]),
    Row(name: "two hosts", expected: 400, hosts: ["example.com", "example.com"]),
    Row(name: "neither", expected: 400, authority: nil), Row(name: "empty", expected: 400, authority: ""),
    Row(name: "user", expected: 400, authority: "me@example.com"),
    Row(name: "CONNECT", expected: nil, method: .connect, scheme: nil, path: nil),
    Row(name: "HTTP/1.1", expected: nil, scheme: "http", form: .line),
    Row(name: "HTTP/1.1 without host", expected: 400, authority: nil, form: .line),
    Row(name: "HTTP/1.1 with two hosts", expected: 400, hosts: ["example.com"], form: .line),
    Row(name: "HTTP/1.1 without slash", expected: 400, path: "x", form: .line),
    Row(name: "HTTP/1.1, absolute form", expected: nil, authority: "proxy", path: "HTTPS://example.com/x", form: .line),
    Row(name: "HTTP/1.1, absolute form and no path", expected: nil, path: "https://example.com:8443?q", form: .line),
    Row(name: "HTTP/1.1, absolute form without host", expected: 400, authority: nil, path: "https://a/x", form: .line),
    Row(name: "HTTP/1.1, absolute form of http", expected: 400, path: "http://example.com/x", form: .line),
    Row(name: "HTTP/1.1, absolute form without authority", expected: 400, path: "https:///x", form: .line),
    Row(name: "HTTP/1.1, absolute form with user", expected: 400, path: "https://me@example.com/x", form: .line),
  ])
  func whatMakesNoSenseIs400(_ row: Row) {
    #expect(TargetRules(authorities: []).refusal(of: row.request, row.form)?.code == row.expected)
    #expect(TargetRules(authorities: ["Example.com"]).refusal(of: row.request, row.form)?.code == row.expected)
  }

  @Test func theAbsoluteFormStandsAboveTheHostField() {
    let rules = TargetRules(authorities: ["example.com"])
    let request = HTTPRequest(method: .get, scheme: nil, authority: "example.com", path: "https://other.com/")
    #expect(rules.refusal(of: request, .line) == .misdirectedRequest)
  }

  @Test(
    arguments: [
      ("example.com", nil), ("EXAMPLE.COM:8443", nil), ("example.com:", nil), ("[::1]", nil), ("[::1]:443", nil),
      ("a.example.com", 421), ("example.com.evil", 421), ("exact.com", 421), ("exact.com:444", 421),
      ("exact.com:443", nil),
    ] as [(String, Int?)])
  func anotherServersIs421(_ authority: String, _ expected: Int?) {
    let rules = TargetRules(authorities: ["example.com", "exact.com:443", "[::1]"])
    let request = HTTPRequest(method: .get, scheme: "https", authority: authority, path: "/")
    #expect(rules.refusal(of: request)?.code == expected)
  }
}
