/// The tokens that a device receives when it is paired, or when it renews: shown once, and kept by the device alone.
package struct DeviceGrant: CustomStringConvertible, Sendable {
  /// The kind of tokens that a device takes.
  package enum Kind: Hashable, Sendable {
    /// One token that does not expire, as clients of the public protocol know it.
    case permanent
    /// A token for some minutes, and one to renew both with.
    case renewable
  }

  /// The renewal of a ``Kind/renewable`` device.
  package struct Renewal: Sendable {
    /// The token for the next renewal, once.
    package let token: String
    /// The time at which ``DeviceGrant/token`` expires, in milliseconds since 1970.
    package let expiresAt: Int
  }

  package let device: Device
  /// The bearer token: 64 hexadecimal digits.
  package let token: String
  /// nil for a token that does not expire.
  package let renewal: Renewal?

  /// Without the tokens, which belong into no log.
  package var description: String { "tokens of the device \(device.id)" }
}
