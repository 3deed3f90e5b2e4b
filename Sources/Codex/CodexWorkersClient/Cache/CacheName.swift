import Crypto

/// The name of a worker's files: of one account at one server alone.
enum CacheName {
  static func of(_ server: String, _ account: String, _ worker: String) -> String {
    let digest = SHA256.hash(data: Array("\(server)\u{0}\(account)\u{0}\(worker)".utf8))
    return digest.prefix(16).map { byte in
      let digits = String(byte, radix: 16)
      return digits.utf8.count == 1 ? "0" + digits : digits
    }.joined()
  }
}
