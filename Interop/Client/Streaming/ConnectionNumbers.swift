import StreamTransport
import Synchronization

/// Distinguishes connections: each has a handshake time in nanoseconds that no other one shares.
final class ConnectionNumbers: Sendable {
  private let known = Mutex<[ConnectionInfo: Int]>([:])

  func number(of connection: ConnectionInfo) -> Int {
    var connection = connection
    // It is the race's, and what early data came to is known later than the connection.
    connection.reason = nil
    connection.resumption = .none
    return known.withLock { known in
      if let number = known[connection] { return number }
      known[connection] = known.count + 1
      return known.count
    }
  }

  var count: Int { known.withLock { $0.count } }
}
