import Foundation
import HTTPTypes
import StreamTransport
import Subprocess
import TestSupport
import Testing

/// `h3get` as a process, with a server of the test's own.
@Suite(.timeLimit(.minutes(10)))
struct H3GetProgramTests {
  private let h3get = BuiltProgram(name: "h3get")

  /// Answers with what was asked, 404 under `/no`, and with interim fields and trailers under `/parts`.
  private static let mirror: @Sendable (HTTP3ServerExchange) async -> Void = { exchange in
    let path = exchange.request.path ?? ""
    let body = (try? await exchange.body.collect(upTo: 1 << 20)) ?? []
    let type = exchange.request.headerFields[.contentType] ?? "no type"
    if path == "/parts" {
      try? await exchange.sendInformational(
        HTTPResponse(status: .init(code: 103), headerFields: [.contentLocation: "/style.css"]))
    }
    try? await exchange.respond(
      HTTPResponse(status: path.hasPrefix("/no") ? .notFound : .ok, headerFields: [.contentType: "text/plain"]))
    let text =
      "\(exchange.request.method.rawValue) \(path) over \(exchange.connectionID), \(type): "
      + String(decoding: body, as: UTF8.self)
    if exchange.request.method != .head { try? await exchange.write(Array(text.utf8)) }
    try? await exchange.finish(trailers: path == "/parts" ? [.eTag: "\"7\""] : nil)
  }

  private func mirrored(
    _ options: [String], _ paths: [String] = ["/"], input: String = ""
  ) async throws -> BuiltProgram.Outcome {
    try await H3GetServer.run(handler: Self.mirror) { try await $0.h3get(options, paths, input: input) }
  }

  @Test func methodFieldsAndBodyGoOutAsGiven() async throws {
    let put = try await mirrored(["-X", "PUT", "-H", "content-type: text/x", "-d", "@-"], input: "line 1\nline 2\n")
    #expect(put.status == .exited(0), "\(put.error)")
    #expect(put.output.hasPrefix("PUT / over ") && put.output.hasSuffix(", text/x: line 1\nline 2\n"))
    let post = try await mirrored(["-d", "a=1", "-d", "b=2", "--http3-only"])
    #expect(post.output.hasPrefix("POST "), "\(post.error)")
    #expect(post.output.hasSuffix(", application/x-www-form-urlencoded: a=1&b=2"))
  }

  @Test func aCertificateIsShownToAServerThatAsks() async throws {
    let authority = try TestAuthority()
    let robot = try authority.issue()
    let policy = ClientCertificatePolicy(authoritiesPEM: authority.certificatePEM)
    let (known, unknown) = try await H3GetServer.run(
      clients: policy,
      handler: { exchange in
        try? await exchange.respond(HTTPResponse(status: .ok))
        try? await exchange.write(Array((exchange.clientCertificate?.subject ?? "nobody").utf8))
        try? await exchange.finish()
      },
      body: { server in
        let files = ["certificate", "private-key"].map { server.folder.appending(path: "client-\($0).pem") }
        try Data(robot.certificatePEM.utf8).write(to: files[0])
        try Data(robot.privateKeyPEM.utf8).write(to: files[1])
        let options = ["--http3-only", "--certificate", files[0].path, "--private-key", files[1].path]
        return (try await server.h3get(options), try await server.h3get(["--http3-only"]))
      })
    #expect(known.status == .exited(0) && known.output == "CN=robot 7,O=Example", "\(known.error)")
    #expect(unknown.status != .exited(0) && unknown.error.contains("requires a certificate"), "\(unknown.error)")
  }

  @Test func fieldsInterimResponsesAndTrailersAreShown() async throws {
    let outcome = try await mirrored(["-i"], ["/parts"])
    #expect(outcome.status == .exited(0), "\(outcome.error)")
    let (before, after) = (
      "HTTP/3 103\ncontent-location: /style.css\n\nHTTP/3 200\ncontent-type: text/plain\n\nGET /parts over ",
      ", no type: \n\netag: \"7\"\n"
    )
    #expect(outcome.output.hasPrefix(before) && outcome.output.hasSuffix(after), "\(outcome.output)")
    let head = try await mirrored(["-i", "-X", "HEAD"])
    #expect(head.output.hasPrefix("HTTP/3 200\n") && !head.output.contains("HEAD"))
  }

  @Test func severalURLsShareAConnectionAndTheFirstFailureIsTheExitStatus() async throws {
    let outcome = try await mirrored(["--timing", "-H", "accept: */*"], ["/1", "/no", "/3"])
    #expect(outcome.status == .exited(1))
    #expect(outcome.error.contains("answered with status 404"))
    let connections = outcome.output.split(separator: ":").dropLast().map { text in
      text.split(separator: " over ").last.map { $0.prefix { $0.isNumber } } ?? ""
    }
    #expect(connections.count == 3 && Set(connections).count == 1, "\(outcome.output)")
    let reports = outcome.error.split(separator: "\n").filter { $0.hasPrefix("{") }
    #expect(reports.count == 3 && reports.last?.contains("/3\"") == true)
  }

  @Test func aFileTakesTheBodiesInPlaceOfStandardOutput() async throws {
    try await H3GetServer.run(handler: Self.mirror) { server in
      let file = server.folder.appending(path: "body").path
      let outcome = try await server.h3get(["-o", file], ["/1", "/2"])
      #expect(outcome.status == .exited(0) && outcome.output.isEmpty, "\(outcome.error)")
      let text = try String(contentsOfFile: file, encoding: .utf8)
      #expect(text.contains("GET /1 over ") && text.contains("GET /2 over "))
      let nowhere = try await server.h3get(["-o", file + "/x"])
      #expect(nowhere.status == .exited(1))
      #expect(nowhere.error.contains("cannot be written: Not a directory"), "\(nowhere.error)")
    }
  }

  @Test func whatTheConnectionIsAskedForIsDone() async throws {
    try await H3GetServer.run(handler: Self.mirror) { server in
      let traces = server.folder.appending(path: "qlog").path
      let keys = server.folder.appending(path: "keys").path
      let outcome = try await server.h3get(
        ["--v2", "--key-update", "--0rtt", "--timing", "--qlog", traces, "--keylog", keys], ["/1", "/2"])
      #expect(outcome.status == .exited(0), "\(outcome.error)")
      #expect(outcome.error.contains(#""quic_version":2"#) && outcome.error.contains(#""key_updated":true"#))
      #expect(try FileManager.default.contentsOfDirectory(atPath: traces).count == 1)
      #expect(try String(contentsOfFile: keys, encoding: .utf8).contains("CLIENT_TRAFFIC_SECRET_0 "))
      let trace = try #require(try FileManager.default.contentsOfDirectory(atPath: traces).first)
      // The server went over to its new keys too, so the second request was answered with them.
      let text = try String(contentsOfFile: traces + "/" + trace, encoding: .utf8)
      #expect(text.contains("client_1rtt_secret") && text.contains("server_1rtt_secret"))
      // A busy machine may count as a slow disk, which is not waited for.
      var again = ""
      for _ in 0..<20 where !again.contains(#""resumption":"earlyDataAccepted""#) {
        again = try await server.h3get(["--v2", "--0rtt", "--timing"]).error
      }
      #expect(again.contains(#""resumption":"earlyDataAccepted""#), "\(again)")
    }
  }

  @Test func aRefusedConnectionSaysSo() async throws {
    let outcome = try await h3get.run(["--http3-only", "--timing", "https://127.0.0.1:9/", "https://127.0.0.1:9/2"])
    #expect(outcome.status == .exited(3), "\(outcome.error)")
    #expect(outcome.output.isEmpty)
    // Once: what cannot be connected to is not tried for each URL.
    #expect(outcome.error.components(separatedBy: "No server listens").count == 2, "\(outcome.error)")
  }

  @Test func whereNothingListensBothReasonsAreReported() async throws {
    let outcome = try await h3get.run(["https://127.0.0.1:9/"])
    #expect(outcome.status == .exited(3), "\(outcome.error)")
    #expect(outcome.error.contains("HTTP/3: No server listens"), "\(outcome.error)")
    #expect(outcome.error.contains("HTTP/1.1: Nothing listens"), "\(outcome.error)")
  }

  @Test func behindAProxyThatIsReportedInTheTiming() async throws {
    let outcome = try await h3get.run(
      ["https://agent.example/"], environment: ["https_proxy": "http://127.0.0.1:9", "no_proxy": ""])
    #expect(outcome.status == .exited(3), "\(outcome.error)")
    #expect(
      outcome.error.contains("HTTP/3: not tried, connections go through the proxy 127.0.0.1:9"), "\(outcome.error)")
    #expect(outcome.error.contains("The proxy 127.0.0.1:9 of https_proxy does not help"), "\(outcome.error)")
  }

  @Test func anUntrustedCertificateHasAStatusOfItsOwn() async throws {
    let outcome = try await H3GetServer.run(handler: Self.mirror) { server in
      try await h3get.run(["--pin", String(repeating: "ab", count: 32), "--http3-only", server.url("/")])
    }
    #expect(outcome.status == .exited(4), "\(outcome.error)")
  }

  @Test func aBodyThatDoesNotEndInTimeHasFailed() async throws {
    let outcome = try await H3GetServer.run { exchange in
      try? await exchange.respond(HTTPResponse(status: .ok))
      try? await exchange.write(Array("half".utf8))
      // Until the client resets the stream.
      await H3GetServer.untilCancelled()
    } body: {
      try await $0.h3get(["--timeout", "1"])
    }
    // On a busy machine the second may be over before there is a connection.
    #expect([.exited(1), .exited(3)].contains(outcome.status), "\(outcome.error)")
    #expect(outcome.error.contains("within 1.0 seconds"), "\(outcome.error)")
  }

  @Test func mistakesOfUseHaveASentence() async throws {
    for (arguments, sentence) in [
      (["ftp://example.org/"], "give one such as"), (["-H", "x", "https://127.0.0.1:9/"], "a name, a colon"),
      (["-d", "@/nowhere", "https://127.0.0.1:9/"], "cannot be read"),
    ] {
      let outcome = try await h3get.run(arguments)
      #expect(outcome.status == .exited(2), "\(outcome.error)")
      #expect(outcome.error.contains(sentence) && outcome.output.isEmpty, "\(outcome.error)")
    }
  }
}
