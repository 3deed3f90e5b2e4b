import Glibc
package import StreamTransport
import Synchronization

/// A disk that fails from its nth call on, until it is repaired, and that remembers what reached it.
package final class FaultyDisk: Sendable {
  package enum Fault: Sendable, CaseIterable {
    /// No byte more finds room.
    case full
    /// Half of the bytes find room, and no more after that.
    case fullInTheMiddle
    /// Bytes are taken, and cannot be brought to disk.
    case broken
  }

  private struct State {
    var calls = 0
    var isRepaired = false
    var durable: [UInt8] = []
  }

  private let fault: Fault
  private let failingCall: Int
  private let state = Mutex(State())
  private let onSynchronize: @Sendable () -> Void

  /// - Parameters:
  ///   - failingCall: the first call that fails, counted from 1: of writes, for `broken` of synchronisations.
  ///   - onSynchronize: called before each synchronisation; what it waits for, the disk waits for.
  package init(
    _ fault: Fault = .full, failingCall: Int = .max, onSynchronize: @escaping @Sendable () -> Void = {}
  ) {
    self.fault = fault
    self.failingCall = failingCall
    self.onSynchronize = onSynchronize
  }

  package var disk: Disk {
    Disk(write: { self.write($1, to: $0) }, synchronize: { self.synchronize($0) })
  }

  /// Calls of the kind that fails, so far.
  package var calls: Int { state.withLock { $0.calls } }
  /// The bytes of the file that was brought to disk last.
  package var durable: [UInt8] { state.withLock { $0.durable } }

  package func repair() { state.withLock { $0.isRepaired = true } }

  private func fails() -> Bool {
    state.withLock { state in
      state.calls += 1
      return state.calls >= failingCall && !state.isRepaired
    }
  }

  private func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
    guard fault != .broken, fails() else { return Disk.system.write(descriptor, bytes) }
    let half = bytes.count / 2
    if fault == .fullInTheMiddle, calls == failingCall, half > 0 {
      return Disk.system.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[..<half]))
    }
    errno = ENOSPC
    return -1
  }

  private func synchronize(_ descriptor: Int32) -> Int32 {
    onSynchronize()
    if fault == .broken, fails() {
      errno = EIO
      return -1
    }
    let result = Disk.system.synchronize(descriptor)
    if result == 0, let bytes = try? PrivateFile.read("/proc/self/fd/\(descriptor)", limit: 1 << 24) {
      state.withLock { $0.durable = bytes }
    }
    return result
  }
}
