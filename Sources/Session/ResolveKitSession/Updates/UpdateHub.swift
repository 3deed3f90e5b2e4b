import Synchronization

/// Copies each update to every reader.
package final class UpdateHub: Sendable {
  private struct Reader {
    weak var channel: UpdateChannel?
  }

  private struct State {
    var readers: [Reader] = []
    var isFinished = false
  }

  private let state = Mutex(State())

  package init() {}

  package func updates() -> ResolveKitRuntimeUpdates {
    let channel = UpdateChannel()
    let isFinished = state.withLock { state in
      state.readers.removeAll { $0.channel == nil }
      state.readers.append(Reader(channel: channel))
      return state.isFinished
    }
    if isFinished { channel.finish() }
    return ResolveKitRuntimeUpdates(channel)
  }

  package func send(_ update: ResolveKitRuntimeUpdate) {
    for channel in channels { channel.send(update) }
  }

  /// Returns once every reader has caught up.
  func room() async {
    for channel in channels { await channel.room() }
  }

  package func finish() {
    state.withLock { $0.isFinished = true }
    for channel in channels { channel.finish() }
  }

  private var channels: [UpdateChannel] {
    state.withLock { $0.readers.compactMap(\.channel) }
  }
}
