import Foundation
import HTTPTypes
import Logging
import ResolveKitCore
import StreamTransport
import TestSupport
import Testing

@testable import CodexWorkersClient

/// Calls as they go out, and the fate of their answers.
@Suite(.timeLimit(.minutes(5)))
struct WorkersClientTests {
  private func client(_ transport: ScriptedTransport, token: String? = "good") -> WorkersClient {
    WorkersClient(
      baseURL: URL(filePath: "/proxy/"), transport: transport, logger: Logger(label: "test"), token: { token })
  }

  @Test func eachCallHasItsTokenAndItsRequestID() async throws {
    let transport = ScriptedTransport { _ in ScriptedRuntime.json(200, #"{"data":[]}"#) }
    let client = client(transport)
    _ = try await client.list(status: .running, workspace: "a b", limit: 5)
    _ = try await client.list()
    let requests = transport.requests.map(\.request)
    #expect(requests[0].path == "/proxy/api/runtime/codex/workers?limit=5&status=running&workspace_ref=a%20b")
    #expect(requests[0].headerFields[.authorization] == "Bearer good")
    let ids = requests.compactMap { $0.headerFields[RequestID.name] }
    #expect(Set(ids).count == 2)
    #expect(ids.allSatisfy { $0.hasPrefix("remotereq-") })
  }

  @Test func aRequestsIDIsTheCallsID() async throws {
    let transport = ScriptedTransport { _ in
      ScriptedRuntime.json(
        200, #"{"data":{"worker_id":"w","request_id":"mine","ok":false,"response":{"code":-32001}}}"#)
    }
    let answer = try await client(transport).send(
      WorkerControlRequest(id: "mine", method: "turn/start", params: ["a": 1]), to: "w:x/y")
    #expect(!answer.isOK)
    let request = try #require(transport.requests.first)
    #expect(request.request.path == "/proxy/api/runtime/codex/workers/w%3Ax%2Fy/requests")
    #expect(request.request.headerFields[RequestID.name] == "mine")
    let body = try JSONValue(parsing: request.body).objectValue?["request"]?.objectValue
    #expect(body?["request_id"] == "mine")
    #expect(body?["params"] == ["a": 1])
  }

  @Test func withoutASignInNothingIsSent() async throws {
    let transport = ScriptedTransport { _ in ScriptedRuntime.json(200, "{}") }
    await #expect(throws: WorkersError.signedOut) { try await client(transport, token: nil).list() }
    #expect(transport.requests.isEmpty)
  }

  @Test func aPageOfHTMLIsNoAnswer() async throws {
    let transport = ScriptedTransport { _ in
      .response(
        HTTPResponse(status: .ok, headerFields: [.contentType: "text/html"]), [.bytes(Array("<html>".utf8)), .end])
    }
    await #expect { try await client(transport).list() } throws: { ($0 as? WorkersError)?.code == .unreadable }
  }

  @Test(arguments: ["[]", "{}", #"{"data":7}"#, #"{"data":{"raw":"x"}}"#, "nonsense", ""])
  func anAnswerOfAnotherShapeIsAnError(_ body: String) async throws {
    let transport = ScriptedTransport { _ in ScriptedRuntime.json(200, body) }
    await #expect { try await client(transport).snapshot(of: "w") } throws: {
      ($0 as? WorkersError)?.code == .unreadable
    }
  }

  @Test func retryAfterIsReportedWithTheError() async throws {
    let transport = ScriptedTransport { _ in
      ScriptedRuntime.json(429, #"{"message":"Too Many Attempts."}"#, [.retryAfter: "17"])
    }
    await #expect { try await client(transport).stop("w") } throws: {
      ($0 as? WorkersError)?.retryAfter == .seconds(17) && "\($0)".contains("17 s")
    }
  }

  @Test func aSignInCarriesItsCookiesFromOneCallToTheOther() async throws {
    let transport = ScriptedTransport { received in
      if received.request.path == "/proxy/api/auth/email" {
        var fields: HTTPFields = [:]
        fields.append(HTTPField(name: .setCookie, value: "pending=abc; Path=/; HttpOnly"))
        fields.append(HTTPField(name: .setCookie, value: "xsrf=def; Secure"))
        return ScriptedRuntime.json(200, #"{"ok":true}"#, fields)
      }
      return ScriptedRuntime.json(
        200, #"{"token":"tok","userId":7,"user":{"id":7,"email":"a@example.test"}}"#)
    }
    let signIn = WorkersSignIn(
      baseURL: URL(filePath: "/proxy"), transport: transport, logger: Logger(label: "test"))
    let credential = try await signIn.finish(try await signIn.begin(email: "a@example.test"), code: "123456")
    #expect(credential.token == "tok")
    #expect(credential.account == "7")
    #expect(transport.requests.last?.request.headerFields[.cookie] == "pending=abc; xsrf=def")
    #expect(!"\(credential)".contains("tok"))
  }

  @Test func theTokenIsKeptForItsServerInAPrivateFile() throws {
    let folder = try TemporaryFolder()
    let file = WorkersCredentialFile(path: folder.path + "/state/credentials.json")
    #expect(try file.all().isEmpty)
    try file.keep(WorkersCredential(server: "https://a.test", email: "a@a.test", token: "one"))
    try file.keep(WorkersCredential(server: "https://b.test", email: "b@b.test", token: "two"))
    try file.keep(WorkersCredential(server: "https://a.test", email: "a@a.test", token: "three"))
    #expect(try file.credential(for: "https://a.test")?.token == "three")
    #expect(try file.all().count == 2)
    #expect(try folder.mode("state/credentials.json") == 0o600)
    try file.forget("https://a.test")
    #expect(try file.credential(for: "https://a.test") == nil)
    folder.write(Array("{}".utf8), to: "open.json", mode: 0o644)
    #expect(throws: WorkersCredentialFile.Failure.self) {
      try WorkersCredentialFile(path: folder.path + "/open.json").all()
    }
  }
}
