import Foundation
import HTTP3Engine
import HTTPTypes
import StreamTransport
import TestSupport
import Testing

/// In a process of its own, so that nobody else's memory is counted.
@Suite struct HTTP3GarbageTests {
  @Test(.timeLimit(.minutes(10)), arguments: [UInt64(1), .random(in: 2 ... .max)])
  func tenThousandRandomDatagramsAreSurvivedInBoundedMemory(seed: UInt64) async {
    await #expect(processExitsWith: .success, "seed \(seed)") { [seed] in
      try await HTTP3TestServer.run { server in
        let transport = server.makeTransport()
        _ = try await transport.send(HTTPRequest(path: "/"))
        let before = try HTTP3GarbageTests.residentBytes()
        var generator = SeededGenerator(seed: seed)
        try HTTP3GarbageTests.sendGarbage(10_000, to: UInt16(server.port), &generator)
        // The same connection continues, and a new one is taken.
        for client in [transport, server.makeTransport()] {
          let response = try await client.send(HTTPRequest(.post, path: "/"), body: .bytes([1, 2, 3]))
          let echoed = try await response.body.collect(upTo: 10)
          try #require(echoed == [1, 2, 3])
          await client.close()
        }
        let growth = try HTTP3GarbageTests.residentBytes() - before
        try #require(growth < 100 << 20, "\(growth) bytes more")
      }
    }
  }

  /// Noise of any size, half of it made to look like a client's first packet.
  private static func sendGarbage(_ count: Int, to port: UInt16, _ generator: inout SeededGenerator) throws {
    let socket = try UDPSocket(connectingTo: .loopback(port: port))
    for number in 0..<count {
      let looksInitial = number % 2 == 0
      let size = looksInitial ? 1_200 : Int.random(in: 1...1_500, using: &generator)
      // By words: a byte at a time would keep a thread of the tests' pool for seconds.
      let words = (0..<(size + 7) / 8).map { _ in generator.next() }
      var bytes = words.withUnsafeBytes { Array($0.prefix(size)) }
      if looksInitial {
        // Long header, version 1, connection ids of 8 bytes (RFC 9000 § 17.2.2).
        bytes.replaceSubrange(0..<6, with: [0xc0 | bytes[0] & 0x0f, 0, 0, 0, 1, 8])
        bytes[14] = 8
      }
      var outcome = socket.send(bytes)
      while case .blocked = outcome { outcome = socket.sendPending() }
    }
  }

  private static func residentBytes() throws -> Int {
    let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    return (Int(pages[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
