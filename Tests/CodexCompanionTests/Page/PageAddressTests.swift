import CodexRemoteContract
import Foundation
import Testing

@testable import CodexCompanion

@Suite struct PageAddressTests {
  private let ticket = PairingTicket(
    pairingID: "0b5b4cb9-3bbf-4b57-a8bc-9bb4f8a2a9f1", nonce: String(repeating: "0f", count: 16), expiresAt: 0)

  @Test(arguments: [
    ("desk.tail.ts.net", "desk.tail.ts.net"), ("100.64.0.7", "100.64.0.7"), ("2001:db8::1", "[2001:db8::1]"),
  ])
  func theSecretIsInTheFragmentAlone(host: String, authority: String) throws {
    let text = PageAddress(host: host, port: 8_787, ticket: ticket).text
    #expect(text == "https://\(authority):8787/#\(ticket.pairingID).\(ticket.nonce)")
    #expect(try #require(URL(string: text)).path() == "/")
  }

  @Test func eachClientIsShownItsOwnText() throws {
    let place = ServerPlace(host: "desk.example", fingerprint: [UInt8](repeating: 7, count: 32))
    place.port = 443
    #expect(try PairingURI(parsing: place.text(ticket, for: .own)).fingerprint != nil)
    #expect(try PairingURI(parsing: place.text(ticket, for: .publicProtocol)).fingerprint == nil)
    #expect(place.text(ticket, for: .browser).hasPrefix("https://desk.example:443/#"))
    // It fits a QR code that a terminal of 80 columns shows.
    #expect(try QRCode(place.text(ticket, for: .browser)).rows.count <= 53)
  }
}
