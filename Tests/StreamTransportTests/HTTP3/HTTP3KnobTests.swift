import HTTPTypes
import StreamTransport
import TestSupport
import Testing

/// Settings that only tools that look at servers change.
@Suite(.timeLimit(.minutes(10))) struct HTTP3KnobTests {
  private func exchange(_ transport: HTTP3Transport, _ text: String) async throws -> TransportResponse {
    let response = try await transport.send(
      HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/"), body: .bytes(Array(text.utf8)))
    #expect(try await response.body.collect(upTo: 1 << 10) == Array(text.utf8))
    return response
  }

  @Test(arguments: [1, 2]) func theSpokenVersionIsReported(version: Int) async throws {
    try await HTTP3TestServer.run { server in
      var configuration = HTTP3TransportConfiguration.patient
      configuration.speaksQUICVersion2Alone = version == 2
      let transport = server.makeTransport(configuration: configuration)
      let response = try await exchange(transport, "hello")
      #expect(response.connection.quicVersion == version)
      #expect(response.connection.nameLookup != nil)
      await transport.close()
    }
  }

  @Test func newKeysAreUsedInMidConnection() async throws {
    try await HTTP3TestServer.run { server in
      let transport = server.makeTransport()
      #expect(await !transport.updateKeys())
      let before = try await exchange(transport, "old keys")
      // Not before the server has confirmed the handshake (RFC 9001 § 6), which comes with or after its first answer.
      while await !transport.updateKeys() { _ = try await exchange(transport, "old keys") }
      // Before the new ones are acknowledged there are no newer ones (§ 6.1).
      #expect(await !transport.updateKeys())
      let after = try await exchange(transport, "new keys")
      #expect(after.connection.remoteAddress == before.connection.remoteAddress)
      await transport.close()
    }
  }
}
