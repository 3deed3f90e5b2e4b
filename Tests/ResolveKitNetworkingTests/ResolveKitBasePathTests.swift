import Foundation
import ResolveKitNetworking
import Testing

struct ResolveKitBasePathTests {
  @Test(arguments: [
    ("https://a.test", "/v1/sessions", "/v1/sessions"),
    ("https://a.test/", "/v1/sessions", "/v1/sessions"),
    ("https://a.test/agent", "/v1/sessions", "/agent/v1/sessions"),
    ("https://a.test/agent/", "/v1/sessions", "/agent/v1/sessions"),
    ("https://a.test/agent", "/agent/v1/sessions/s/events", "/agent/v1/sessions/s/events"),
    ("https://a.test/agent", "/agents/v1", "/agent/agents/v1"),
    ("https://a.test/a/b", "v1/sessions", "/a/b/v1/sessions"),
    ("https://a.test/gr%C3%BC%C3%9Fe", "/v1", "/gr%C3%BC%C3%9Fe/v1"),
  ])
  func prefixIsJoinedOnce(base: String, path: String, target: String) throws {
    #expect(ResolveKitBasePath(try #require(URL(string: base))).target(path) == target)
  }

  @Test(arguments: [("a-b.c_d~1", "a-b.c_d~1"), ("1/2?x=ü", "1%2F2%3Fx%3D%C3%BC"), ("", "")])
  func onlyUnreservedCharactersStay(text: String, encoded: String) {
    #expect(ResolveKitBasePath.encoded(text) == encoded)
  }
}
