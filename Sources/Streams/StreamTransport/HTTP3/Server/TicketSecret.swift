import Glibc
import HTTP3Engine

/// The secret that seals a server's session tickets, kept in a file so that clients resume after its restart.
enum TicketSecret {
  private static let length = 32

  /// The secret in the file at `path`, which is made, with a new one, where it is missing.
  ///
  /// Throws ``TransportError`` with `invalidRequest` for a file that cannot be read or made, or that holds something else.
  static func load(_ path: String, _ random: TransportRandom) throws(TransportError) -> [UInt8] {
    let secret = if let known = try read(path) { known } else { try make(path, random) }
    guard secret.count == length else {
      throw TransportError(
        .invalidRequest,
        "\(path) holds \(secret.count) bytes and no session ticket secret, which has \(length); remove it to have a new one made."
      )
    }
    return secret
  }

  /// Nil where there is no file.
  private static func read(_ path: String) throws(TransportError) -> [UInt8]? {
    do throws(PrivateFile.Failure) {
      return try PrivateFile.read(path, limit: 4_096)
    } catch {
      if error.number == ENOENT { return nil }
      throw unusable(error)
    }
  }

  private static func make(_ path: String, _ random: TransportRandom) throws(TransportError) -> [UInt8] {
    do {
      // The second process takes what the first has made.
      return try PrivateFile.withLock(path + ".lock") { () -> [UInt8] in
        if let known = try read(path) { return known }
        let secret = RandomSource(random).bytes(length)
        try PrivateFile.write(secret, to: path)
        return secret
      }
    } catch let error as TransportError {
      throw error
    } catch {
      throw unusable(error)
    }
  }

  private static func unusable(_ failure: any Error) -> TransportError {
    TransportError(.invalidRequest, "The session ticket secret cannot be used: \(failure)", cause: failure)
  }
}
