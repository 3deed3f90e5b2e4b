import NIOCore
import NIOPosix
import StreamTransport

/// The threads on which this process serves all connections.
package enum ServingThreads {
  /// Returns once each of them has come to a turn: none is held up by what does not end.
  package static func takeTurns() async {
    for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() { _ = try? await loop.submit {}.get() }
    await HTTP3Server.loopsTakeTurns()
  }
}
