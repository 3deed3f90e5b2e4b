import StreamTransport
import Testing

@Suite struct ProxySettingsTests {
  private func proxy(
    _ environment: [String: String], _ host: String = "agent.example", port: Int = 443
  ) throws -> String? {
    try ProxySettings(environment: environment).proxy(for: Origin(scheme: .https, host: host, port: port))?.description
  }

  @Test(
    arguments: [
      ([:], nil),
      (["HTTPS_PROXY": "http://a:1"], "a:1"),
      (["https_proxy": "http://b:2", "HTTPS_PROXY": "http://a:1"], "b:2"),
      (["https_proxy": "", "HTTPS_PROXY": "http://a:1"], nil),
      (["ALL_PROXY": "http://c:3"], "c:3"),
      (["all_proxy": "http://d:4", "ALL_PROXY": "http://c:3"], "d:4"),
      (["HTTPS_PROXY": "http://a:1", "all_proxy": "http://d:4"], "a:1"),
      (["HTTP_PROXY": "http://a:1", "http_proxy": "http://a:1"], nil),
      (["HTTPS_PROXY": "proxy.example:3128"], "proxy.example:3128"),
      (["HTTPS_PROXY": "http://proxy.example"], "proxy.example:80"),
      (["HTTPS_PROXY": "HTTP://proxy.example/"], "proxy.example:80"),
      (["HTTPS_PROXY": "http://user:secret@proxy.example:1"], "proxy.example:1"),
      (["HTTPS_PROXY": "http://[2001:db8::1]:3128"], "[2001:db8::1]:3128"),
    ] as [([String: String], String?)])
  func theVariablesNameTheProxy(environment: [String: String], expected: String?) throws {
    #expect(try proxy(environment) == expected, "\(environment)")
  }

  @Test(arguments: [
    "http://", "http://:1", "socks5://a:1", "https://a:1", "http://a:70000", "http://a b:1", "://", "http://%zz",
  ])
  func aProxyThatCannotBeUsedIsAnError(url: String) {
    let secret = url.replacing("://", with: "://user:secret@")
    for text in [url, secret] {
      let error = #expect(throws: TransportError.self) { _ = try proxy(["HTTPS_PROXY": text]) }
      #expect(error?.code == .invalidRequest)
      #expect(error?.message.contains("HTTPS_PROXY") == true)
      #expect(error?.message.contains("secret") == false)
    }
    #expect(throws: Never.self) { _ = try proxy(["HTTPS_PROXY": url], "localhost") }
  }

  /// `NO_PROXY`, the host, its port, and whether it is reached directly.
  @Test(arguments: [
    ("", "agent.example", 443, false),
    ("*", "agent.example", 443, true),
    ("agent.example", "agent.example", 443, true),
    ("AGENT.example", "agent.EXAMPLE", 443, true),
    ("example", "agent.example", 443, true),
    (".example", "agent.example", 443, true),
    (".agent.example", "agent.example", 443, true),
    ("*.example", "agent.example", 443, true),
    ("agent.example.", "agent.example", 443, true),
    ("agent.example", "agent.example.", 443, true),
    ("gent.example", "agent.example", 443, false),
    ("agent.example", "example", 443, false),
    ("other.test, agent.example", "agent.example", 443, true),
    ("other.test agent.example", "agent.example", 443, true),
    (",, ,", "agent.example", 443, false),
    (".", "agent.example", 443, false),
    ("agent.example:443", "agent.example", 443, true),
    ("agent.example:8443", "agent.example", 443, false),
    ("agent.example:x", "agent.example", 443, false),
    ("10.1.2.3", "10.1.2.3", 443, true),
    ("10.1.2.3:8443", "10.1.2.3", 443, false),
    ("10.1.2.4", "10.1.2.3", 443, false),
    ("2.3", "10.1.2.3", 443, false),
    ("10.0.0.0/8", "10.1.2.3", 443, true),
    ("10.1.2.0/24", "10.1.2.3", 443, true),
    ("10.1.3.0/24", "10.1.2.3", 443, false),
    ("10.1.2.3/32", "10.1.2.3", 443, true),
    ("0.0.0.0/0", "10.1.2.3", 443, true),
    ("10.0.0.0/33", "10.1.2.3", 443, false),
    ("10.0.0.0/-1", "10.1.2.3", 443, false),
    ("10.0.0.0/8", "agent.example", 443, false),
    ("2001:db8::1", "2001:db8::1", 443, true),
    ("[2001:db8::1]", "2001:db8::1", 443, true),
    ("[2001:db8::1]:443", "2001:db8::1", 443, true),
    ("[2001:db8::1]:444", "2001:db8::1", 443, false),
    ("2001:db8::/32", "2001:db8:1::1", 443, true),
    ("2001:db8::/32", "2001:db9::1", 443, false),
    ("2001:db8::/127", "2001:db8::1", 443, true),
    ("2001:db8::/128", "2001:db8::1", 443, false),
    ("::/0", "2001:db8::1", 443, true),
    ("::/0", "10.1.2.3", 443, false),
    ("::/129", "2001:db8::1", 443, false),
  ])
  func exemptionsAreReachedDirectly(list: String, host: String, port: Int, isDirect: Bool) throws {
    for name in ["NO_PROXY", "no_proxy"] {
      let found = try proxy(["HTTPS_PROXY": "http://a:1", name: list], host, port: port)
      #expect((found == nil) == isDirect, "\(list) \(host)")
    }
  }

  @Test(arguments: ["localhost", "a.localhost", "127.0.0.1", "127.1.2.3", "::1"])
  func thisMachineIsReachedDirectly(host: String) throws {
    #expect(try proxy(["HTTPS_PROXY": "http://a:1"], host) == nil)
  }

  @Test func plaintextIsReachedDirectly() throws {
    let settings = ProxySettings(environment: ["HTTPS_PROXY": "http://a:1", "ALL_PROXY": "http://a:1"])
    #expect(try settings.proxy(for: Origin(scheme: .http, host: "agent.example", port: 80)) == nil)
  }

  @Test(
    arguments: [
      ("http://a:1", nil), ("http://user:pass@a:1", "Basic dXNlcjpwYXNz"), ("http://user@a:1", "Basic dXNlcjo="),
      ("http://us%3Aer:p%40ss@a:1", "Basic dXM6ZXI6cEBzcw=="),
    ] as [(String, String?)])
  func theUserIsNamedAsRFC7617Has(url: String, authorization: String?) throws {
    #expect(try HTTPProxy(url, source: "HTTPS_PROXY").authorization == authorization)
  }
}
