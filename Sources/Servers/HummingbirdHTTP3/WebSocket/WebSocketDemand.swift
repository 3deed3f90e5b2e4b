import NIOCore

/// Reports to a WebSocket's channel that its messages are read.
struct WebSocketDemand: NIOAsyncSequenceProducerDelegate {
  let channel: NIOLoopBoundBox<WebSocketChannelHandler?>
  let eventLoop: any EventLoop

  func produceMore() {
    eventLoop.execute { channel.value?.messagesAreWanted() }
  }

  /// Nobody reads them any more: what comes is dropped, and pings and the close frame are read on.
  func didTerminate() { produceMore() }
}
