import JSONService
import ResolveKitCore

/// The credential of a device.
enum DeviceCredential: Hashable, Sendable {
  case permanent(TokenDigest)
  case renewable(RenewableCredential)

  mutating func use(_ token: BearerToken, now: Int) -> RenewableCredential.Match {
    switch self {
    case .permanent(let digest): return digest.isOf(token) ? .valid(until: nil) : .none
    case .renewable(var credential):
      let match = credential.use(token, now: now)
      self = .renewable(credential)
      return match
    }
  }

  mutating func renew(with token: BearerToken, salt: [UInt8], now: Int) -> RenewableCredential.Renewal {
    switch self {
    case .permanent: return .foreign
    case .renewable(var credential):
      let renewal = credential.renew(with: token, salt: salt, now: now)
      self = .renewable(credential)
      return renewal
    }
  }

  // MARK: The file

  init?(_ value: JSONValue?) {
    guard let members = value?.objectValue else { return nil }
    switch members["kind"]?.stringValue {
    case "permanent":
      guard let digest = TokenDigest(hexadecimal: members["token"]?.stringValue) else { return nil }
      self = .permanent(digest)
    case "renewable":
      guard let credential = RenewableCredential(members) else { return nil }
      self = .renewable(credential)
    case _: return nil
    }
  }

  var json: JSONValue {
    switch self {
    case .permanent(let digest): ["kind": "permanent", "token": .string(digest.hexadecimal)]
    case .renewable(let credential): .object(credential.members.merging(["kind": "renewable"]) { $1 })
    }
  }
}
