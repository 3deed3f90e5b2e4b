import Foundation
import HTTPTypes
import StreamTransport
import TestSupport
import Testing

/// Options of client and server.
@Suite(.timeLimit(.minutes(10))) struct HTTP3OptionTests {
  /// Answers with as many bytes as the path names.
  private static let bytes: HTTP3TestServer.Handler = { exchange in
    let count = exchange.request.path.flatMap { Int($0.dropFirst()) } ?? 0
    try? await exchange.respond(HTTPResponse(status: .ok))
    var rest = count
    while rest > 0, (try? await exchange.write([UInt8](repeating: 7, count: min(rest, 65_536)))) != nil {
      rest -= min(rest, 65_536)
    }
    try? await exchange.finish()
  }

  @Test(arguments: [1, 3]) func aClientGoesOverToThePreferredAddress(_ loops: Int) async throws {
    try await HTTP3TestServer.run(
      configure: {
        $0.preferredAddresses = [ServerAddress(address: "127.0.0.1", port: 0)]
        $0.options.loops = loops
      }, handler: Self.bytes
    ) { server in
      let transport = server.makeTransport()
      let first = try await transport.connect()
      var migrations = 0
      // The change comes when the handshake is confirmed, in the course of the bodies.
      for _ in 0..<100 where migrations == 0 {
        let response = try await transport.send(HTTPRequest(path: "/300000"))
        #expect(try await response.body.collect(upTo: 300_000).count == 300_000)
        #expect(response.connection == first)
        migrations = await transport.snapshot()?.migrations ?? 0
      }
      #expect(migrations == 1)
      await transport.close()
    }
  }

  @Test func aPreferredAddressThatIsNoneIsRefused() async throws {
    let code = try await failureCode {
      try await HTTP3TestServer.run(configure: {
        $0.preferredAddresses = [ServerAddress(address: "localhost", port: 0)]
      }) { _ in }
    }
    #expect(code == .invalidRequest)
  }

  @Test func keysAreUpdatedOnRequest() async throws {
    try await HTTP3TestServer.run(handler: Self.bytes) { server in
      let transport = server.makeTransport()
      #expect(await !transport.updateKeys(), "there is no connection")
      var updates = 0
      // Three probe time-outs have to lie between two updates (RFC 9001 § 6.5), and a quick transfer ends before.
      while updates < 2 {
        let response = try await transport.send(HTTPRequest(path: "/2000000"))
        var count = 0
        for try await chunk in response.body {
          count += chunk.count
          if updates < 2, await transport.updateKeys() { updates += 1 }
        }
        #expect(count == 2_000_000)
      }
      await transport.close()
    }
  }

  /// Both ends write the same secrets, each to its file.
  @Test func theServersSecretsAreLogged() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "keylog-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await HTTP3TestServer.run(
      configure: { $0.options.keyLogFile = folder + "/server" }, handler: Self.bytes
    ) { server in
      let tls = TLSOptions(
        trust: .certificates(pem: server.certificate.certificatePEM), keyLogFile: folder + "/client")
      let transport = server.makeTransport(tls: tls)
      let response = try await transport.send(HTTPRequest(path: "/10"))
      #expect(try await response.body.collect(upTo: 10).count == 10)
      await transport.close()
    }
    func lines(_ name: String) throws -> Set<Substring> {
      Set(try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8).split(separator: "\n"))
    }
    let secrets = try lines("server")
    #expect(secrets.contains { $0.hasPrefix("SERVER_HANDSHAKE_TRAFFIC_SECRET ") })
    #expect(try lines("client").intersection(secrets).count >= 4)
  }

  @Test func aKeyLogThatCannotBeWrittenIsSaidAtOnce() async throws {
    let code = try await failureCode {
      try await HTTP3TestServer.run(configure: { $0.options.keyLogFile = "/nowhere/keys" }) { _ in }
    }
    #expect(code == .tls)
  }
}
