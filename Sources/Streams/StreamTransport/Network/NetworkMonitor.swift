import CLinux
import HTTP3Engine

/// Tells those who live on one loop that this machine's interfaces, addresses or routes have changed; what they are now
/// is asked of the kernel then. On the loop's thread only.
package final class NetworkMonitor {
  /// Changes come in groups: a new address, then its routes. Those within this time are reported as one.
  package static let settlingTime = Duration.milliseconds(20)

  private unowned let loop: EventLoop
  private var observers: [UInt64: @Sendable () -> Void] = [:]
  private var nextToken: UInt64 = 0
  /// Open while there are observers.
  private var source: Source?
  private var timer: LoopTimer?

  private final class Source {
    let descriptor: FileDescriptor
    let registration: EventLoop.Registration

    init(_ descriptor: consuming FileDescriptor, _ registration: EventLoop.Registration) {
      self.descriptor = descriptor
      self.registration = registration
    }
  }

  init(_ loop: EventLoop) {
    self.loop = loop
  }

  /// Calls `observer` after each change until ``remove(_:)``. Where the system gives no notices, only ``suspectChange()``
  /// leads to calls.
  package func add(_ observer: @escaping @Sendable () -> Void) -> UInt64 {
    if observers.isEmpty { open() }
    nextToken += 1
    observers[nextToken] = observer
    return nextToken
  }

  package func remove(_ token: UInt64) {
    guard observers.removeValue(forKey: token) != nil, observers.isEmpty else { return }
    if let source { loop.unregister(source.registration, descriptor: source.descriptor.number) }
    source = nil
    timer?.cancel()
    timer = nil
  }

  /// Something else hints at a change, such as a packet that could not be sent.
  package func suspectChange() {
    guard !isDue else { return }
    isDue = true
    timer?.set(loop.now + Self.settlingTime)
  }

  private var isDue = false

  private func open() {
    isDue = false
    timer = LoopTimer(loop) { [weak loop] in loop?.networkMonitor.tell() }
    guard let descriptor = try? FileDescriptor(opening: "netlink", clinux_network_open()) else { return }
    let registration = try? loop.register(descriptor: descriptor.number, [.readable]) { [weak loop] _ in
      loop?.networkMonitor.read()
    }
    if let registration { source = Source(descriptor, registration) }
  }

  private func read() {
    guard let source, clinux_network_drain(source.descriptor.number) else { return }
    suspectChange()
  }

  private func tell() {
    isDue = false
    for observer in observers.values { observer() }
  }
}
