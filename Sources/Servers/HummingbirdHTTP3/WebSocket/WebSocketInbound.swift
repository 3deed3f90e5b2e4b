import NIOCore

/// The messages of a client, in order.
///
/// Few of them wait to be read: while they do, no more is taken from the client, so read them even if none matters. The
/// sequence ends when either side closes the WebSocket in the way of the protocol, and throws ``WebSocketError`` when it ends
/// otherwise. Iterating it again continues with the next message.
public struct WebSocketInbound: AsyncSequence {
  typealias Messages = NIOThrowingAsyncSequenceProducer<
    WebSocketMessage, any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, WebSocketDemand
  >

  private let messages: Messages.AsyncIterator

  init(_ messages: Messages) {
    self.messages = messages.makeAsyncIterator()
  }

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(messages: messages)
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let messages: Messages.AsyncIterator

    public mutating func next() async throws -> WebSocketMessage? {
      try await messages.next()
    }
  }
}
