import HTTPTypes
import Testing

@testable import CodexCompanion

struct AccessRulesTests {
  private let rules = AccessRules(hosts: ["desk.tail.ts.net", "100.64.0.7", "::1"])

  private func status(_ authority: String?, _ fields: [(String, String)] = []) throws -> HTTPResponse.Status? {
    var request = HTTPRequest(method: .post, scheme: "https", authority: authority, path: "/v1/chats")
    for (name, value) in fields { request.headerFields[try #require(HTTPField.Name(name))] = value }
    do {
      try rules.check(request)
      return nil
    } catch {
      return error.status
    }
  }

  @Test func namesOfOursAreAnsweredAndOthersAreNot() throws {
    for name in ["desk.tail.ts.net", "DESK.tail.ts.net:8787", "100.64.0.7:8787", "[::1]:8787", "[::1]"] {
      #expect(try status(name) == nil, "\(name)")
    }
    for name in ["evil.test", "desk.tail.ts.net.evil.test", "100.64.0.70", "", "::1:1", "[", "]:", ":"] {
      #expect(try status(name) == .misdirectedRequest, "\(name)")
    }
    #expect(try status(nil) == .misdirectedRequest)
  }

  @Test func pagesOfOtherOriginsMayNotTalk() throws {
    let host = "desk.tail.ts.net:8787"
    #expect(try status(host, [("origin", "https://desk.tail.ts.net:8787")]) == nil)
    #expect(try status("desk.tail.ts.net", [("origin", "https://desk.tail.ts.net")]) == nil)
    for origin in [
      "null", "http://desk.tail.ts.net:8787", "https://desk.tail.ts.net", "https://evil.test", "https://", "",
      "https://desk.tail.ts.net:8787.evil.test", "https://100.64.0.7:8787",
    ] {
      #expect(try status(host, [("origin", origin)]) == .forbidden, "\(origin)")
    }
    for site in ["cross-site", "same-site", "odd"] {
      #expect(try status(host, [("sec-fetch-site", site)]) == .forbidden, "\(site)")
    }
    #expect(try status(host, [("sec-fetch-site", "same-origin")]) == nil)
    #expect(try status(host, [("sec-fetch-site", "none")]) == nil)
  }

  private func sessionStatus(
    _ method: HTTPRequest.Method, _ fields: [(String, String)]
  ) throws -> HTTPResponse.Status? {
    var request = HTTPRequest(method: method, scheme: "https", authority: "desk.tail.ts.net", path: "/v1/chats")
    for (name, value) in fields { request.headerFields[try #require(HTTPField.Name(name))] = value }
    do {
      try rules.check(request)
      try rules.checkSession(request)
      return nil
    } catch {
      return error.status
    }
  }

  @Test(arguments: [HTTPRequest.Method.post, .patch, .delete, .put])
  func aSessionChangesNothingWithoutAnOriginOfOurs(method: HTTPRequest.Method) throws {
    let origin = ("origin", "https://desk.tail.ts.net")
    #expect(try sessionStatus(method, []) == .forbidden)
    #expect(try sessionStatus(method, [("sec-fetch-site", "same-origin")]) == .forbidden)
    #expect(try sessionStatus(method, [origin]) == nil)
    #expect(try sessionStatus(method, [origin, ("sec-fetch-site", "same-origin")]) == nil)
    for site in ["none", "same-site", "cross-site", ""] {
      #expect(try sessionStatus(method, [origin, ("sec-fetch-site", site)]) == .forbidden, "\(site)")
    }
    #expect(try sessionStatus(method, [("origin", "https://desk.tail.ts.net:444")]) == .forbidden)
  }

  @Test func aSessionReadsWithoutAnOrigin() throws {
    for method in [HTTPRequest.Method.get, .head] { #expect(try sessionStatus(method, []) == nil) }
    #expect(try sessionStatus(.get, [("sec-fetch-site", "same-site")]) == .forbidden)
  }

  @Test func aLinkFromElsewhereLeadsToThePage() throws {
    var request = HTTPRequest(method: .get, scheme: "https", authority: "desk.tail.ts.net", path: "/")
    request.headerFields[try #require(HTTPField.Name("sec-fetch-site"))] = "cross-site"
    #expect(throws: Never.self) { try rules.checkHost(request) }
    request.authority = "rebound.test"
    #expect(throws: CompanionError.self) { try rules.checkHost(request) }
  }
}
