import Synchronization

/// Notifies a device's streams that it was revoked, or a chat's that it may not be seen any more.
final class Revocations: Sendable {
  private struct Waiting: Sendable {
    var next = 0
    var streams: [Device.ID: [Int: AsyncStream<Never>.Continuation]] = [:]
  }

  private let waiting = Mutex(Waiting())

  /// Ends with the device, at once where `isPaired` says that it is none.
  func stream(of id: Device.ID, isPaired: () -> Bool) -> AsyncStream<Never> {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    let number = waiting.withLock { waiting in
      waiting.next += 1
      waiting.streams[id, default: [:]][waiting.next] = continuation
      return waiting.next
    }
    continuation.onTermination = { [weak self] _ in self?.forget(number, of: id) }
    // After it was noted, so that no revocation falls in between.
    if !isPaired() { continuation.finish() }
    return stream
  }

  func revoke(_ id: Device.ID) {
    let streams = waiting.withLock { $0.streams.removeValue(forKey: id) ?? [:] }
    for continuation in streams.values { continuation.finish() }
  }

  private func forget(_ number: Int, of id: Device.ID) {
    waiting.withLock { waiting in
      waiting.streams[id]?[number] = nil
      if waiting.streams[id]?.isEmpty == true { waiting.streams[id] = nil }
    }
  }
}
