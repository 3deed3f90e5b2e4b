import Foundation
import HTTP3Engine
import TestSupport
import Testing

@testable import StreamTransport

/// A server's secrets.
@Suite struct ServerSecretTests {
  private let address = NetworkAddress(ip: .v4(0x7f00_0001), port: 443)

  private func key(
    _ privateKey: String = "key", _ address: NetworkAddress? = nil, machine: [[UInt8]] = [[1, 2], [3]]
  ) -> [UInt8] {
    StatelessResetKey.bytes(privateKeyPEM: privateKey, address: address ?? self.address, machine: machine)
  }

  /// A server elsewhere with the same TLS key could be asked for the tokens of another's connections (RFC 9000 §
  /// 21.11).
  @Test func everyServerHasItsOwnStatelessResetKey() {
    var keys = [key(), key("other"), key(machine: [[1], [2, 3]]), key(machine: [[1, 2], []]), key(machine: [])]
    keys.append(key("key", NetworkAddress(ip: address.ip, port: 444)))
    keys.append(key("key", NetworkAddress(ip: .v4(0x7f00_0002), port: 443)))
    keys.append(StatelessResetKey.bytes(privateKeyPEM: "key", address: address))
    #expect(Set(keys).count == keys.count)
    #expect(keys.allSatisfy { $0.count == 32 })
  }

  @Test func aRestartKeepsTheStatelessResetKey() {
    #expect(key() == key())
    let own = StatelessResetKey.bytes(privateKeyPEM: "key", address: address)
    #expect(own == StatelessResetKey.bytes(privateKeyPEM: "key", address: address))
  }

  /// Servers that begin at the same moment, as processes of one service do.
  @Test func serversThatBeginTogetherShareATicketSecret() async throws {
    let folder = NSTemporaryDirectory() + "ticket-secret-\(UUID().uuidString)"
    try PrivateFile.makeDirectory(folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for round in 0..<50 {
      let secrets = try await withThrowingTaskGroup(of: [[UInt8]].self) { group in
        for _ in 0..<8 { group.addTask { try SecretFile(path: "\(folder)/\(round)").load(.system) } }
        return try await group.reduce(into: Set<[[UInt8]]>()) { $0.insert($1) }
      }
      #expect(secrets.count == 1)
    }
  }
}
