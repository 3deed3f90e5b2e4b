import Glibc
import NIOCore

/// The user at the other end of a unix socket, as the kernel knows it.
enum PeerUser {
  /// `struct ucred` of unix(7); Swift's Glibc has no such type.
  private struct Credentials: Sendable {
    var process: pid_t = 0
    var user: uid_t = 0
    var group: gid_t = 0
  }

  private struct NoSocket: Error {}

  /// Fails where the channel is no socket.
  static func of(_ channel: any Channel) -> EventLoopFuture<uid_t> {
    guard let socket = channel as? any SocketOptionProvider else {
      return channel.eventLoop.makeFailedFuture(NoSocket())
    }
    let credentials: EventLoopFuture<Credentials> = socket.unsafeGetSocketOption(
      level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
    return credentials.map(\.user)
  }
}
