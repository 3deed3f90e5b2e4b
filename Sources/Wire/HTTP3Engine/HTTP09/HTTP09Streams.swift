/// What a connection keeps for HTTP/0.9, and the order in which its streams send: each a datagram's worth in turn.
final class HTTP09Streams {
  /// Streams with something to send that the peer has room for, each once.
  private var ready = Queue<StreamID>()
  private var isReady: Set<StreamID> = []
  private var blocked: Set<StreamID> = []
  /// Requests that are not complete (server).
  var requestLines: [StreamID: HTTP09RequestLine] = [:]
  /// Responses of which something came (client).
  var begun: Set<StreamID> = []

  /// There is more to send on the stream.
  func resume(_ id: StreamID) {
    guard !blocked.contains(id), isReady.insert(id).inserted else { return }
    ready.append(id)
  }

  /// The stream whose turn it is; those that `hasMore` denies leave the line.
  func next(_ hasMore: (StreamID) -> Bool) -> StreamID? {
    while let id = ready.first {
      if isReady.contains(id), hasMore(id) { return id }
      leave(id)
    }
    return nil
  }

  /// The stream sent something: others' turn.
  func didSend(_ id: StreamID) {
    leave(id)
    resume(id)
  }

  func block(_ id: StreamID) {
    leave(id)
    blocked.insert(id)
  }

  func unblock(_ id: StreamID) {
    guard blocked.remove(id) != nil else { return }
    resume(id)
  }

  func forget(_ id: StreamID) {
    // Its place in the line is given up when its turn comes.
    isReady.remove(id)
    blocked.remove(id)
    requestLines[id] = nil
    begun.remove(id)
  }

  func removeAll() {
    ready = Queue()
    isReady = []
    blocked = []
    requestLines = [:]
    begun = []
  }

  private func leave(_ id: StreamID) {
    if ready.first == id { _ = ready.popFirst() }
    isReady.remove(id)
  }
}
