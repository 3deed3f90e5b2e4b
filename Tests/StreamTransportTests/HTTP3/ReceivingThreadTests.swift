import Foundation
import HTTPTypes
import StreamTransport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ReceivingThreadTests {
  private struct Stop: Error {}

  /// Loops are the threads called `loop-…`.
  private static var isOnLoop: Bool {
    guard let file = fopen("/proc/thread-self/comm", "r") else { return false }
    defer { fclose(file) }
    var name = [CChar](repeating: 0, count: 32)
    guard fgets(&name, CInt(name.count), file) != nil else { return false }
    return String(decoding: name.map { UInt8(bitPattern: $0) }, as: UTF8.self).hasPrefix("loop-")
  }

  @Test func aReaderContinuesWhereTheBytesArrive() async throws {
    try await HTTP3TestServer.run { server in
      let transport = server.makeTransport()
      let sent = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let received = try await transport.onReceivingThread {
        #expect(Self.isOnLoop)
        let response = try await transport.send(HTTPRequest(.post, path: "/"), body: .bytes(sent))
        var received: [UInt8] = []
        for try await chunk in response.body {
          #expect(Self.isOnLoop)
          received += chunk
        }
        return received
      }
      #expect(received == sent)
      #expect(!Self.isOnLoop)
      await transport.close()
    }
  }

  @Test func whatTheBodyThrowsIsThrown() async throws {
    try await HTTP3TestServer.run { server in
      let transport = server.makeTransport()
      await #expect(throws: Stop.self) {
        try await transport.onReceivingThread {
          _ = try await transport.connect()
          throw Stop()
        }
      }
      await transport.close()
    }
  }
}
