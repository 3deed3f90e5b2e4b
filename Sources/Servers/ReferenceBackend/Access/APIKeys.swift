import Crypto

/// The API keys that are accepted, as digests: a copy of this process's memory gives no key away.
struct APIKeys: Sendable {
  private let digests: [SHA256Digest]

  init(_ keys: [String]) {
    digests = keys.filter { !$0.isEmpty }.map { SHA256.hash(data: Array($0.utf8)) }
  }

  var isEmpty: Bool { digests.isEmpty }

  /// Takes the same time for every wrong key: digests compare in constant time, and all are compared.
  func accept(_ key: some StringProtocol) -> Bool {
    let digest = SHA256.hash(data: Array(key.utf8))
    return digests.reduce(false) { found, known in (known == digest) || found }
  }
}
