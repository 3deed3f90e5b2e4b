/// The order in which the streams of HTTP/0.9 send: each a datagram's worth in turn.
struct HTTP09Turns {
  /// Streams with something to send that the peer has room for, each once.
  private var ready = Queue<StreamID>()
  private var isReady: Set<StreamID> = []
  private var blocked: Set<StreamID> = []

  /// There is more to send on the stream.
  mutating func resume(_ id: StreamID) {
    guard !blocked.contains(id), isReady.insert(id).inserted else { return }
    ready.append(id)
  }

  /// The stream whose turn it is; those that `hasMore` denies leave the line.
  mutating func next(_ hasMore: (StreamID) -> Bool) -> StreamID? {
    while let id = ready.first {
      if isReady.contains(id), hasMore(id) { return id }
      leave(id)
    }
    return nil
  }

  /// The stream sent something: others' turn.
  mutating func didSend(_ id: StreamID) {
    leave(id)
    resume(id)
  }

  mutating func block(_ id: StreamID) {
    leave(id)
    blocked.insert(id)
  }

  mutating func unblock(_ id: StreamID) {
    guard blocked.remove(id) != nil else { return }
    resume(id)
  }

  mutating func forget(_ id: StreamID) {
    // Its place in the line is given up when its turn comes.
    isReady.remove(id)
    blocked.remove(id)
  }

  mutating func removeAll() {
    ready = Queue()
    isReady = []
    blocked = []
  }

  private mutating func leave(_ id: StreamID) {
    if ready.first == id { _ = ready.popFirst() }
    isReady.remove(id)
  }
}
