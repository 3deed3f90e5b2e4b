import CodexAppServer
import ResolveKitCore
import Testing

struct CodexVersionTests {
  @Test func versionsAreReadAndCompared() {
    #expect(CodexVersion("0.163.0") == CodexVersion.oldest)
    #expect(CodexVersion("0.164.0-alpha.1") == CodexVersion(major: 0, minor: 164, patch: 0))
    let texts = ["0.9.12", "0.162.9", "0.163.0", "0.163.1", "1.0.0"]
    #expect(texts.compactMap { CodexVersion($0) }.sorted().map(\.description) == texts)
    for text in ["", "1", "1.2", "1.2.3.4", "a.b.c", "+1.2.3", "1..3", "1.2.99999999999999999999", "٣.1.2"] {
      #expect(CodexVersion(text) == nil, "\(text)")
    }
  }

  @Test func aGreetingContainsTheVersion() {
    #expect(
      AppServerGreeting(["userAgent": "probe/0.163.0 (Debian 12.0.0; x86_64) xterm (probe; 0.0.1)"]).version == .oldest)
    for agent in ["", "probe", "probe/", "probe/x y", "/"] {
      #expect(AppServerGreeting(["userAgent": .string(agent)]).version == nil)
    }
    #expect(AppServerGreeting(.null).version == nil)
  }
}
