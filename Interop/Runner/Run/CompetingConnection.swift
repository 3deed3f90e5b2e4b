import Foundation
import LinkEmulator
import Synchronization

/// One TCP connection that fills the link toward the client until it is ended, beside what is measured. Its congestion
/// control is the link's, CUBIC, as in the public runner, whose iperf3 is not needed for it.
final class CompetingConnection: Sendable {
  private static let port: UInt16 = 5_201
  private static let bufferBytes = 64 << 10

  private let sockets: [ProbeSocket]
  private let isEnding = Atomic<Bool>(false)
  private let received = Atomic<Int>(0)

  /// Connects across the link and begins to send.
  init(over link: EmulatedLink) throws {
    let listener = try link.run(on: .server) { () throws(EmulatorError) in
      let socket = try ProbeSocket(.tcp)
      try socket.bind(LinkSide.server.address, port: CompetingConnection.port)
      try socket.listen()
      return socket
    }
    let receiver = try link.run(on: .client) { () throws(EmulatorError) in
      let socket = try ProbeSocket(.tcp)
      try socket.setTimeout(milliseconds: 5_000)
      try socket.connect(LinkSide.server.address, port: CompetingConnection.port)
      return socket
    }
    let sender = try listener.accept()
    sockets = [sender, receiver]
    Thread { [self] in
      let bytes = [UInt8](repeating: 0, count: Self.bufferBytes)
      bytes.withUnsafeBytes { bytes in
        while !isEnding.load(ordering: .relaxed), sender.send(bytes) > 0 {}
      }
    }.start()
    Thread { [self] in
      withUnsafeTemporaryAllocation(byteCount: Self.bufferBytes, alignment: 64) { buffer in
        while !isEnding.load(ordering: .relaxed) {
          let length = receiver.receive(buffer)
          guard length > 0 else { break }
          received.add(length, ordering: .relaxed)
        }
      }
    }.start()
  }

  var receivedBytes: Int { received.load(ordering: .relaxed) }

  func end() {
    isEnding.store(true, ordering: .relaxed)
    for socket in sockets { socket.shutDown() }
  }
}
