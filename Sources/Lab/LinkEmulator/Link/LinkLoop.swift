import CLinux
import Dispatch
import Foundation
package import LinkModel
import Synchronization

/// The thread that carries packets between the two devices as the model decides.
///
/// Everything but `stop` belongs to that thread until it has ended; that is what makes the class Sendable.
package final class LinkLoop: @unchecked Sendable {
  private enum Token: UInt64 {
    case stop, timer, client, server
  }

  /// Packets that are read from one side before the other gets its turn.
  private static let packetsPerTurn = 32
  /// More than the device's MTU, so that no packet is ever cut.
  private static let bufferBytes = 65_536

  private let epoll: Descriptor
  private let timer: Descriptor
  private let stopEvent: Descriptor
  private let client: CInt
  private let server: CInt
  private var clientDevice: Descriptor?
  private var serverDevice: Descriptor?
  private let hasEnded = DispatchGroup()
  private let wantsRealtime: Bool

  private var model: LinkModel
  /// The timer's time: a margin before the earliest deadline.
  private var armed: Int64?
  private var margin = WakeUpMargin()
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: LinkLoop.bufferBytes, alignment: 64)

  // To be read after `stop`.
  package private(set) var recorder: PacketRecorder
  package private(set) var failedWrites = 0
  private(set) var isRealtime = false

  package init(
    model: LinkModel, recorder: PacketRecorder, client: consuming Descriptor, server: consuming Descriptor,
    wantsRealtime: Bool
  ) throws(EmulatorError) {
    self.model = model
    self.recorder = recorder
    self.wantsRealtime = wantsRealtime
    self.client = client.number
    self.server = server.number
    clientDevice = consume client
    serverDevice = consume server
    epoll = try Descriptor(opening: "epoll_create1", clinux_epoll_create())
    timer = try Descriptor(opening: "timerfd_create", clinux_timer_create())
    stopEvent = try Descriptor(opening: "eventfd", clinux_event_create())
    try watch(stopEvent.number, .stop)
    try watch(timer.number, .timer)
    try watch(self.client, .client)
    try watch(self.server, .server)
  }

  deinit { buffer.deallocate() }

  private func watch(_ number: CInt, _ token: Token) throws(EmulatorError) {
    try check("epoll_ctl", clinux_epoll_add(epoll.number, number, UInt32(CLINUX_READABLE), token.rawValue))
  }

  /// Starts the thread; once.
  package func start() throws(EmulatorError) {
    hasEnded.enter()
    do throws(EmulatorError) {
      try Threads.start(name: "link") { [self] in
        run()
        hasEnded.leave()
      }
    } catch {
      hasEnded.leave()
      throw error
    }
  }

  /// Ends the thread, waits for that, and closes the devices: they would keep their namespaces.
  package func stop() {
    _ = clinux_event_signal(stopEvent.number)
    hasEnded.wait()
    clientDevice = nil
    serverDevice = nil
  }

  // MARK: On the thread

  private func run() {
    _ = clinux_set_timer_slack(1)
    isRealtime = wantsRealtime && clinux_set_realtime(true) == 0
    var ready = [clinux_ready](repeating: clinux_ready(), count: 4)
    while true {
      let count = clinux_epoll_wait(epoll.number, &ready, 4, maySleep() ? .max : 0)
      precondition(count >= 0, "epoll_wait on our own descriptor fails only if it was closed elsewhere.")
      for index in 0..<Int(count) {
        switch Token(rawValue: ready[index].token) {
        case .timer:
          clinux_drain(timer.number)
          if let armed { margin.woke(now, planned: armed) }
          armed = nil
        case .client: takeIn(from: client, .toServer)
        case .server: takeIn(from: server, .toClient)
        case .stop, nil: return
        }
      }
      deliver()
    }
  }

  private var now: Int64 { Int64(clamping: clinux_now()) }

  /// Whether there is time to sleep before the next deadline, for which the timer is then set. It moves only when
  /// something is due earlier than it is set for, or after it fired.
  private func maySleep() -> Bool {
    guard let next = model.nextDelivery else { return true }
    let wakeUp = next - margin.nanoseconds
    guard wakeUp > now else { return false }
    if let armed, armed <= wakeUp { return true }
    armed = wakeUp
    _ = clinux_timer_arm(timer.number, UInt64(max(wakeUp, 1)))
    return true
  }

  private func takeIn(from device: CInt, _ direction: LinkDirection) {
    for _ in 0..<Self.packetsPerTurn {
      let length = read(device, buffer.baseAddress, buffer.count)
      guard length > 0 else {
        // A device that was removed would wake the loop for ever.
        if length < 0, errno != EAGAIN, errno != EINTR { _ = clinux_epoll_remove(epoll.number, device) }
        return
      }
      let bytes = [UInt8](UnsafeRawBufferPointer(rebasing: buffer[..<length]))
      let results = model.send(LinkPacket(bytes: bytes, framing: .ip), direction, at: now)
      recorder.entered(results, bytes: bytes)
      deliver()
    }
  }

  /// Hands over what is due by now.
  private func deliver() {
    while let next = model.nextDelivery {
      let now = now
      guard next <= now, let delivery = model.deliver(at: now) else { return }
      let device = delivery.direction == .toServer ? server : client
      let written = delivery.bytes.withUnsafeBytes { write(device, $0.baseAddress, $0.count) }
      if written < 0 { failedWrites += 1 }
      recorder.left(
        number: delivery.number, due: delivery.due, direction: delivery.direction, bytes: delivery.bytes, at: now)
    }
  }
}
