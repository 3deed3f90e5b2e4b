import Glibc
import HTTP3Engine

/// What a server seals its session tickets with, kept in a file so that clients resume after its restart.
enum TicketSecret {
  private static let length = 32

  /// The secret in the file at `path`, which is made, with a new one, where it is missing.
  ///
  /// Throws ``TransportError`` with `invalidRequest` for a file that cannot be read or made, or that holds something else.
  static func load(_ path: String) throws(TransportError) -> [UInt8] {
    do {
      let secret: [UInt8]
      do {
        secret = try PrivateFile.read(path, limit: 4_096)
      } catch where error.number == ENOENT {
        secret = RandomSource().bytes(length)
        try PrivateFile.write(secret, to: path)
      }
      guard secret.count == length else {
        throw TransportError(
          .invalidRequest,
          "\(path) holds \(secret.count) bytes and no session ticket secret, which has \(length); remove it to have a new one made."
        )
      }
      return secret
    } catch let error as TransportError {
      throw error
    } catch {
      throw TransportError(.invalidRequest, "The session ticket secret cannot be used: \(error)", cause: error)
    }
  }
}
