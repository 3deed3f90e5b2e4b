import Crypto
import HTTP3Engine

/// The key of a server's stateless reset tokens (RFC 9000 § 10.3.2).
///
/// The same after every restart with the same TLS key at the same place, and of no use to find that key out. A server with
/// the TLS key elsewhere has another one: it would otherwise answer a client's packet, which anybody may send there, with the
/// token that ends the client's connection (§ 21.11).
enum StatelessResetKey {
  /// - Parameters:
  ///   - address: where the server listens, with its port.
  ///   - machine: what distinguishes this machine, or container, from others.
  static func bytes(
    privateKeyPEM: String, address: NetworkAddress, machine: [[UInt8]] = Self.machine
  ) -> [UInt8] {
    // Each with its length, so that no two places are written alike.
    let place = (machine + [Array("\(address)".utf8)]).flatMap {
      VariableLengthInteger.bytes(of: UInt64($0.count)) + $0
    }
    let key = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: Array(privateKeyPEM.utf8)),
      info: Array("agent-stream stateless reset".utf8) + place, outputByteCount: 32)
    return key.withUnsafeBytes { Array($0) }
  }

  /// Containers may share the first or lack it; they have names of their own.
  private static var machine: [[UInt8]] {
    ["/etc/machine-id", "/proc/sys/kernel/hostname"].map { (try? PrivateFile.read($0, limit: 4_096)) ?? [] }
  }
}
