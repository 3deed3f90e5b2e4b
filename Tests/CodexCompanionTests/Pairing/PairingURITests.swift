import CodexRemoteContract
import Testing

@testable import CodexCompanion

@Suite struct PairingURITests {
  private static let nonce = String(repeating: "0f", count: 16)
  private static let id = "0b5b4cb9-3bbf-4b57-a8bc-9bb4f8a2a9f1"
  private let ticket = PairingTicket(pairingID: Self.id, nonce: Self.nonce, expiresAt: 0)

  @Test func isWrittenAsThePublicClientReadsIt() {
    let uri = PairingURI(scheme: .https, host: "100.64.0.7", port: 8_787, ticket: ticket)
    #expect(
      uri.text
        == "codexremote://pair?scheme=https&host=100.64.0.7&port=8787&pairingId=\(Self.id)&nonce=\(Self.nonce)")
  }

  @Test(
    arguments: ["desk.example", "2001:db8::1", "fe80::1%eth0", "a+b&c=d"], [nil, [UInt8](repeating: 0xAB, count: 32)])
  func isReadAsWritten(host: String, fingerprint: [UInt8]?) throws {
    let uri = PairingURI(scheme: .http, host: host, port: 1, ticket: ticket, fingerprint: fingerprint)
    #expect(try PairingURI(parsing: uri.text) == uri)
    #expect(!uri.text.contains("::"))
  }

  @Test func schemeAndPortMayBeLeftOut() throws {
    let uri = try PairingURI(parsing: "codexremote://pair?host=h&pairingId=p&nonce=\(Self.nonce)")
    #expect(
      uri
        == PairingURI(
          scheme: .https, host: "h", port: 8_787, ticket: PairingTicket(pairingID: "p", nonce: Self.nonce, expiresAt: 0)
        ))
  }

  @Test(arguments: [
    "", "https://pair?host=h", "codexremote://pair", "codexremote://pair?", "codexremote://pair?host",
    "codexremote://pair?%70=h", "X&token=1", "X&host=i", "X&", "X&=", "X&fingerprint=", "X&fingerprint=AB", "X&port=0",
    "X&port=65536", "X&port=-1", "X&port=+1", "X&port=", "X&port=99999999999999999999", "X&port=１", "X&scheme=ftp",
    "X&scheme=HTTPS", "X#x", "codexremote://pair?host=&pairingId=p&nonce=N", "codexremote://pair?host=h&nonce=N",
    "codexremote://pair?host=h%00&pairingId=p&nonce=N", "codexremote://pair?host=h/i&pairingId=p&nonce=N",
    "codexremote://pair?host=h&pairingId=p&nonce=0f", "codexremote://pair?host=%zz&pairingId=p&nonce=N",
    "codexremote://pair?host=%ff&pairingId=p&nonce=N",
  ])
  func whatElseIsRefused(text: String) {
    let start = "codexremote://pair?host=h&pairingId=p&nonce=\(Self.nonce)"
    let text = text.replacing("nonce=N", with: "nonce=\(Self.nonce)")
    let whole = text.hasPrefix("X") ? start + text.dropFirst() : text
    #expect(throws: PairingURI.Fault.self) { try PairingURI(parsing: whole) }
  }

  @Test func aLongTextIsRefused() {
    let text = "codexremote://pair?host=" + String(repeating: "h", count: 100_000)
    #expect(throws: PairingURI.Fault.self) { try PairingURI(parsing: text) }
  }
}
