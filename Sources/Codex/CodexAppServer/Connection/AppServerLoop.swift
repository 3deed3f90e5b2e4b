package import NIOPosix

/// The event loop of the connections to codex.
///
/// Its messages are read on it, and may have 16 MiB: on a loop that serves other connections too, those would wait for it.
package enum AppServerLoop {
  package static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
}
