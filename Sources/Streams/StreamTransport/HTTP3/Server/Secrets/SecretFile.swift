// The module in which the compiler finds `stat`, beside the C headers that this target imports.
import CoreFoundation
import Glibc
import HTTP3Engine

/// The file with the secrets of a server's tickets and tokens, the newest first, which servers may share.
struct SecretFile: Sendable {
  private static let length = 32
  /// More than a rotation keeps, for those who write the file by other means.
  private static let mostSecrets = 8
  /// The newest, and those of the two periods before: the oldest is then older than any ticket or token.
  private static let keptSecrets = 3

  let path: String

  var stamp: FileStamp { FileStamp(of: path) }

  /// The file behind symbolic links: its locks, and its next version, lie beside that.
  var target: String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Whether others than the owner may read it, and so make and open tickets.
  var isOpenToOthers: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & 0o077 != 0
  }

  /// The secrets in the file, which is made, with a new one, where it is missing.
  ///
  /// Throws ``TransportError`` with `invalidRequest` for a file that cannot be read or made, or that holds something else.
  func load(_ random: TransportRandom) throws(TransportError) -> [[UInt8]] {
    if let known = try read() { return known }
    return try locked { () throws in
      // The second process takes what the first has made.
      if let known = try read() { return known }
      let secrets = [RandomSource(random).bytes(Self.length)]
      try write(secrets)
      return secrets
    }
  }

  /// Puts a new secret before the others if the file was written longer ago than `period`, and drops the oldest.
  ///
  /// Throws as ``load(_:)`` does.
  func rotate(after period: Duration, now: Int, _ random: TransportRandom) throws(TransportError) {
    guard isOlder(than: period, now) else { return }
    try locked { () throws in
      // Another process may have been first.
      guard isOlder(than: period, now), let known = try read() else { return }
      try write(([RandomSource(random).bytes(Self.length)] + known).prefix(Self.keptSecrets).map { $0 })
    }
  }

  private func isOlder(than period: Duration, _ now: Int) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && now - status.st_mtim.tv_sec >= Int(clamping: period.components.seconds)
  }

  /// Nil where there is no file.
  private func read() throws(TransportError) -> [[UInt8]]? {
    let bytes: [UInt8]
    do throws(PrivateFile.Failure) {
      bytes = try PrivateFile.read(path, limit: 4_096)
    } catch {
      if error.number == ENOENT { return nil }
      throw Self.unusable(error)
    }
    let count = bytes.count / Self.length
    guard count * Self.length == bytes.count, (1...Self.mostSecrets).contains(count) else {
      throw TransportError(
        .invalidRequest,
        "\(path) holds \(bytes.count) bytes and no secrets for session tickets, which are 1 to \(Self.mostSecrets) of "
          + "\(Self.length) bytes each; remove it to have a new one made.")
    }
    return (0..<count).map { Array(bytes[$0 * Self.length..<($0 + 1) * Self.length]) }
  }

  private func write(_ secrets: [[UInt8]]) throws { try PrivateFile.write(Array(secrets.joined()), to: target) }

  private func locked<Value>(_ body: () throws -> Value) throws(TransportError) -> Value {
    do {
      return try PrivateFile.withLock(target + ".lock", body)
    } catch let error as TransportError {
      throw error
    } catch {
      throw Self.unusable(error)
    }
  }

  private static func unusable(_ failure: any Error) -> TransportError {
    TransportError(.invalidRequest, "The secrets of session tickets cannot be used: \(failure)", cause: failure)
  }
}
