public import HTTPTypes

/// The bytes of a message as they arrive: single-pass; releasing it before its end cancels the stream.
public struct ResponseBody: AsyncSequence, Sendable {
  public typealias Element = [UInt8]

  private let handle: Handle

  /// A body whose bytes come from `channel`.
  package init(_ channel: BodyChannel) {
    handle = Handle(channel)
  }

  /// A body that is here already.
  public init(_ bytes: [UInt8], trailers: HTTPFields? = nil) {
    let channel = BodyChannel()
    if !bytes.isEmpty { channel.yield(bytes) }
    channel.finish(trailers: trailers)
    self.init(channel)
  }

  /// The trailer fields (RFC 9110 § 6.5), there when the body was read to its end; nil before, and where none came.
  public var trailers: HTTPFields? { handle.channel.trailers }

  /// Whether there are bytes that the reader has not taken.
  var hasUnread: Bool { handle.channel.hasUnread }

  /// Calls `action` if the body breaks off; not when its reader leaves.
  func whenBroken(_ action: @escaping @Sendable (any Error) -> Void) {
    handle.channel.whenBroken(action)
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(handle: handle)
  }

  /// Takes no more bytes and cancels the stream; does nothing after the end.
  public func cancel() {
    handle.channel.cancel()
  }

  /// Asks the server to send the rest sooner or later beside other responses (PRIORITY_UPDATE, RFC 9218 § 7.2); over
  /// HTTP/1.1, which has no such thing, and after the end it does nothing.
  public func setPriority(_ priority: RequestPriority) {
    handle.channel.setPriority(priority)
  }

  /// All bytes to the end of the body.
  ///
  /// Throws ``TransportError`` with `limitExceeded` when there are more than `limit` bytes, and then cancels the stream.
  public func collect(upTo limit: Int) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    for try await chunk in self {
      guard bytes.count + chunk.count <= limit else {
        cancel()
        throw TransportError(.limitExceeded, "The response body is larger than \(limit) bytes.")
      }
      bytes += chunk
    }
    return bytes
  }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let handle: Handle

    public mutating func next() async throws -> [UInt8]? {
      try await handle.channel.next()
    }

    /// Waits where the reader is, so that an actor which reads is not left and entered again for each piece.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> [UInt8]? {
      try await handle.channel.next(isolation: actor)
    }
  }

  /// Cancels the channel when the last copy of the body and its iterators is gone.
  fileprivate final class Handle: Sendable {
    let channel: BodyChannel

    init(_ channel: BodyChannel) { self.channel = channel }
    deinit { channel.cancel() }
  }
}
