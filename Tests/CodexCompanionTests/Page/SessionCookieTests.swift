import Testing

@testable import CodexCompanion

@Suite struct SessionCookieTests {
  private static let access = String(repeating: "0a", count: 32)
  private static let renewal = String(repeating: "b1", count: 32)
  private static let pair = "\(access).\(renewal)"
  private let cookie = SessionCookie(access: Self.access, renewal: Self.renewal)

  @Test func isKeptForThisHostAloneAndFromScripts() {
    let parts = cookie.field(port: 8_787).split(separator: ";").map { $0.drop { $0 == " " } }
    #expect(parts.first == "__Host-codex-8787=\(Self.pair)")
    #expect(Set(parts.dropFirst()) == ["Max-Age=34560000", "Path=/", "Secure", "HttpOnly", "SameSite=Strict"])
    #expect(SessionCookie.removal(port: 1).hasPrefix("__Host-codex-1=; Max-Age=0; Path=/; Secure;"))
  }

  @Test(arguments: ["", "theme=dark; ", "__Host-codex-8788=x; a=b;", "x__Host-codex-8787=1;  "])
  func isReadAmongOthers(before: String) {
    let read = SessionCookie(field: "\(before)__Host-codex-8787=\(Self.pair); last=1", port: 8_787)
    #expect(read?.access == Self.access)
    #expect(read?.renewal == Self.renewal)
  }

  @Test(
    arguments: [
      "", ";", "=", "__Host-codex-8787", "__Host-codex-8787=", "__Host-codex-8787=.", "__Host-codex-8787=\(access)",
      "__Host-codex-8787=\(access).", "__Host-codex-8787=\(pair).\(access)", "__Host-codex-8787=\"\(pair)\"",
      "__host-codex-8787=\(pair)", "__Host-codex-8787 =\(pair)", "__Host-codex-8787=\(pair)0",
      // Two of the name: one of them was planted.
      "__Host-codex-8787=\(pair); __Host-codex-8787=\(pair)",
    ])
  func whatIsNoneIsNotRead(field: String) {
    #expect(SessionCookie(field: field, port: 8_787) == nil)
  }

  @Test func noFieldIsNoCookie() {
    #expect(SessionCookie(field: nil, port: 8_787) == nil)
    #expect(SessionCookie(field: "__Host-codex-8787=\(Self.pair)", port: 8_788) == nil)
  }
}
