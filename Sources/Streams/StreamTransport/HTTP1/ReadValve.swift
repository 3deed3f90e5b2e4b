import NIOCore

/// Stands between the socket and TLS, and lets a read through only where somebody wants the bytes.
///
/// NIOSSL asks for another read whenever one brought it nothing at its end, even if it has delivered much before: its
/// reads alone would take in a whole body that nobody consumes.
final class ReadValve: ChannelOutboundHandler {
  typealias OutboundIn = Never

  private let isOpen: () -> Bool

  init(isOpen: @escaping () -> Bool) {
    self.isOpen = isOpen
  }

  func read(context: ChannelHandlerContext) {
    if isOpen() { context.read() }
  }
}
