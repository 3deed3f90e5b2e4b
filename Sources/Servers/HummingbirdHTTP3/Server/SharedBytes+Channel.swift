import NIOCore
import StreamTransport

extension SharedBytes {
  /// Counts what is held for a connection, or a stream of HTTP/2, which is closed where that is too much; nil where the client
  /// has left.
  func join(_ channel: any Channel) -> Holder? {
    // A stream has its connection for a parent. A client whose address the system does not know has left.
    let address = channel.parent?.remoteAddress ?? channel.remoteAddress
    guard let prefix = address?.ipAddress.flatMap({ SourcePrefix(literal: $0) }) else { return nil }
    return join(from: prefix) {
      // Not within the write that was too much.
      channel.eventLoop.execute { channel.close(promise: nil) }
    }
  }
}
