import ResolveKitCore
import Testing

@testable import WorkerRuntime

/// The parameters of a hosted Codex's requests that come through.
struct HostedPolicyTests {
  @Test(arguments: [
    (
      "thread/resume", #"{"threadId":"t","config":{"a":1},"cwd":"/"}"#,
      #"{"threadId":"t","cwd":"/w","sandbox":"workspace-write","approvalPolicy":"never"}"#
    ),
    ("thread/resume", "{}", nil),
    (
      "turn/start",
      #"{"threadId":"t","input":[{"type":"text","text":"a","path":"x"}],"sandboxPolicy":{"type":"dangerFullAccess"},"approvalPolicy":"never","cwd":"/"}"#,
      #"{"threadId":"t","input":[{"type":"text","text":"a"}]}"#
    ),
    ("turn/start", #"{"threadId":"t","input":[{"type":"localImage","path":"/etc/passwd"}]}"#, nil),
    ("turn/start", #"{"threadId":"t","input":[{"type":"image","url":"http://169.254.169.254/"}]}"#, nil),
    ("turn/start", #"{"threadId":"t","input":[]}"#, nil),
    ("turn/interrupt", #"{"threadId":"t","turnId":"u","x":1}"#, #"{"threadId":"t","turnId":"u"}"#),
    ("thread/list", #"{"limit":5,"cwd":"/","sourceKinds":["cli"]}"#, #"{"limit":5}"#),
    ("thread/read", #"{"threadId":"t","includeTurns":true}"#, #"{"threadId":"t","includeTurns":true}"#),
    ("shell/run", "{}", nil),
  ])
  func theClientDoesNotSayWhatTheSandboxLetsThrough(_ method: String, _ params: String, _ expected: String?) throws {
    let request = WorkerRequest(id: "r", method: method, params: Array(params.utf8))
    let taken = try? HostedPolicy(workspace: "/w").params(of: request)
    #expect(try taken == expected.map { try JSONValue(parsing: $0) })
  }
}
