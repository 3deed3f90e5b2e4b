import CLinux
import Foundation
import Synchronization

/// One TCP connection that sends from the server to the client for a time.
struct TCPProbe {
  private static let port: UInt16 = 4_701
  private static let bufferBytes = 256 << 10
  private static let timeoutMilliseconds = 2_000

  var bitsPerSecond = 0.0
  /// The algorithm that the sender used.
  var congestionControl: String?

  /// Blocks for `seconds` and a little more.
  static func run(over link: EmulatedLink, seconds: Double) throws(EmulatorError) -> TCPProbe {
    let listener = try link.run(on: .server) { () throws(EmulatorError) in
      let socket = try ProbeSocket(.tcp)
      try socket.bind(LinkSide.server.address, port: port)
      try socket.setTimeout(milliseconds: timeoutMilliseconds)
      try socket.listen()
      return socket
    }
    let receiver = try link.run(on: .client) { () throws(EmulatorError) in
      let socket = try ProbeSocket(.tcp)
      try socket.setTimeout(milliseconds: timeoutMilliseconds)
      try socket.connect(LinkSide.server.address, port: port)
      return socket
    }
    let sender = try listener.accept()
    try sender.setTimeout(milliseconds: timeoutMilliseconds)
    let mayEnd = Flag()
    try Threads.start(name: "tcp-probe") {
      let bytes = [UInt8](repeating: 0, count: bufferBytes)
      bytes.withUnsafeBytes { bytes in
        while !mayEnd.isSet, sender.send(bytes) > 0 {}
      }
      sender.shutDown()
    }
    defer { mayEnd.set() }
    var probe = TCPProbe(congestionControl: sender.congestionControl)
    probe.bitsPerSecond = receive(on: receiver, seconds: seconds)
    receiver.shutDown()
    return probe
  }

  private final class Flag: Sendable {
    private let value = Atomic<Bool>(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
  }

  private static func receive(on socket: ProbeSocket, seconds: Double) -> Double {
    withUnsafeTemporaryAllocation(byteCount: bufferBytes, alignment: 64) { buffer in
      let start = clinux_now()
      let end = start + UInt64(seconds * 1e9)
      var count = 0
      var now = start
      while now < end {
        let length = socket.receive(buffer)
        guard length > 0 else { break }
        count += length
        now = clinux_now()
      }
      return now > start ? Double(count) * 8e9 / Double(now - start) : 0
    }
  }
}
