import CLinux
import Foundation
import Synchronization

/// Sends UDP probes across a link at an even rate and takes their one-way delay: both ends read the same clock.
struct DelayProbe {
  /// The size of the UDP payload: a QUIC packet's usual size.
  static let payloadBytes = 1_200
  private static let port: UInt16 = 4_700
  private static let timeoutMilliseconds = 300

  /// Delays in nanoseconds, in the order of arrival.
  var delays: [Int64] = []
  var sent = 0

  /// Blocks until all probes have come, or nothing has come for a while after the last one.
  static func run(
    over link: EmulatedLink, packetsPerSecond: Int, count: Int
  ) throws(EmulatorError) -> DelayProbe {
    let receiver = try link.run(on: .server) { () throws(EmulatorError) in
      let socket = try ProbeSocket(.udp)
      socket.setReceiveBuffer(bytes: 4 << 20)
      try socket.bind(LinkSide.server.address, port: port)
      try socket.setTimeout(milliseconds: timeoutMilliseconds)
      return socket
    }
    let sender = try link.run(on: .client) { () throws(EmulatorError) in
      let socket = try ProbeSocket(.udp)
      try socket.connect(LinkSide.server.address, port: port)
      return socket
    }
    let progress = Progress()
    try Threads.start(name: "probes") {
      let count = Self.send(on: sender, packetsPerSecond: packetsPerSecond, count: count)
      progress.finish(count)
    }
    let delays = receive(on: receiver, count: count, until: progress)
    return DelayProbe(delays: delays, sent: progress.sent ?? 0)
  }

  private final class Progress: Sendable {
    private let value = Mutex<Int?>(nil)
    var sent: Int? { value.withLock { $0 } }
    func finish(_ count: Int) { value.withLock { $0 = count } }
  }

  private static func send(on socket: ProbeSocket, packetsPerSecond: Int, count: Int) -> Int {
    _ = clinux_set_timer_slack(1)
    let interval = 1_000_000_000 / UInt64(max(packetsPerSecond, 1))
    let start = clinux_now() + 1_000_000
    return withUnsafeTemporaryAllocation(byteCount: payloadBytes, alignment: 8) { payload in
      _ = payload.initializeMemory(as: UInt8.self, repeating: 0)
      var sent = 0
      for index in 0..<count {
        clinux_sleep_until(start + UInt64(index) * interval)
        payload.storeBytes(of: clinux_now(), as: UInt64.self)
        if socket.send(UnsafeRawBufferPointer(payload)) == payloadBytes { sent += 1 }
      }
      return sent
    }
  }

  private static func receive(on socket: ProbeSocket, count: Int, until progress: Progress) -> [Int64] {
    var delays: [Int64] = []
    delays.reserveCapacity(count)
    return withUnsafeTemporaryAllocation(byteCount: payloadBytes, alignment: 8) { payload in
      while delays.count < count {
        let length = socket.receive(payload)
        if length == payloadBytes {
          let now = clinux_now()
          delays.append(Int64(clamping: now) - Int64(clamping: payload.load(as: UInt64.self)))
        } else if progress.sent != nil {
          break
        }
      }
      return delays
    }
  }
}
