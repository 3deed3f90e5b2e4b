import HTTP3Engine
import TestSupport
import Testing

/// The cipher suites that either side allows.
@Suite struct CipherSuiteTests {
  struct Row: CustomTestStringConvertible {
    var client: [CipherSuite]
    var server: [CipherSuite]
    /// Nil where there is no common one.
    var cipher: String?
    var testDescription: String { "\(client) with \(server)" }
  }

  static let rows = [
    Row(client: CipherSuite.allCases, server: CipherSuite.allCases, cipher: "AES-128-GCM"),
    Row(client: [.chaCha20Poly1305], server: CipherSuite.allCases, cipher: "CHACHA20-POLY1305"),
    Row(client: CipherSuite.allCases, server: [.chaCha20Poly1305], cipher: "CHACHA20-POLY1305"),
    Row(client: [.aes256GCM, .chaCha20Poly1305], server: CipherSuite.allCases, cipher: "AES-256-GCM"),
    Row(client: [.aes128GCM], server: [.chaCha20Poly1305], cipher: nil),
  ]

  @Test(arguments: rows)
  func oneThatBothAllowIsUsed(_ row: Row) throws {
    let pair = try QUICPair.make(
      clientLimits: { $0.cipherSuites = row.client }, server: { $0.connection.cipherSuites = row.server })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/50000")
    try pair.run { client.isDone }
    #expect(client.handshake?.cipher == row.cipher)
    #expect(client.answers[0].isComplete == (row.cipher != nil))
    #expect(server.requests.count == (row.cipher == nil ? 0 : 1))
  }
}
