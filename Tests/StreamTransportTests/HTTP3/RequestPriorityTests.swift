import Foundation
import HTTPTypes
import StreamTransport
import Testing

/// The priorities on the wire, whose effect on a slow link the engine's tests show.
@Suite struct RequestPriorityTests {
  @Test func aRequestCarriesItInAField() {
    var request = HTTPRequest(path: "/")
    #expect(request.priority == nil)
    request.priority = RequestPriority(urgency: 1, isIncremental: true)
    #expect(request.headerFields[.priority] == "u=1, i")
    #expect(request.priority == RequestPriority(urgency: 1, isIncremental: true))
    request.headerFields[.priority] = "u=9"
    #expect(request.priority == nil)
    request.priority = nil
    #expect(request.headerFields[.priority] == nil)
  }

  @Test(.timeLimit(.minutes(10))) func aBodyThatIsOnItsWayGetsAnother() async throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "qlog-\(UUID().uuidString)").path()
    defer { try? FileManager.default.removeItem(atPath: root) }
    let (goOn, source) = AsyncStream.makeStream(of: Void.self)
    try await HTTP3TestServer.run(
      configure: { $0.options.qlogDirectory = root },
      handler: { exchange in
        try? await exchange.respond(HTTPResponse(status: .ok))
        if exchange.request.path == "/held" { for await _ in goOn { break } }
        try? await exchange.write([1, 2, 3])
        try? await exchange.finish()
      }
    ) { server in
      let transport = server.makeTransport()
      let response = try await transport.send(HTTPRequest(path: "/held"))
      response.body.setPriority(RequestPriority(urgency: 6))
      // Any later request: the order of the connection's calls puts it behind.
      let later = try await transport.send(HTTPRequest(path: "/"))
      #expect(try await later.body.collect(upTo: 10) == [1, 2, 3])
      source.finish()
      #expect(try await response.body.collect(upTo: 10) == [1, 2, 3])
      response.body.setPriority(RequestPriority(urgency: 7))
      await transport.close()
    }
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: root).first)
    let trace = String(decoding: try #require(FileManager.default.contents(atPath: root + "/" + name)), as: UTF8.self)
    #expect(trace.components(separatedBy: "\"priority_update\"").count == 2)
  }
}
