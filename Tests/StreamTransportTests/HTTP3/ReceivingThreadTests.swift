import Dispatch
import Foundation
import HTTPTypes
import StreamTransport
import TestSupport
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

  /// The switch of threads is what a small response costs most; only who asks for it is without.
  @Test(arguments: [true, false]) func handlersRunWhereTheOptionSays(_ isOnLoop: Bool) async throws {
    try await HTTP3TestServer.run(
      configure: { $0.options.runsHandlersOnReceivingThread = isOnLoop },
      handler: { exchange in
        do {
          var places = [Self.isOnLoop]
          try await exchange.respond(HTTPResponse(status: .ok))
          places.append(Self.isOnLoop)
          for try await chunk in exchange.body {
            places.append(Self.isOnLoop)
            try await exchange.write(chunk)
          }
          try await exchange.finish(trailers: [.eTag: Set(places) == [isOnLoop] ? "right" : "wrong"])
        } catch {
          await exchange.reset()
        }
      }
    ) { server in
      let transport = server.makeTransport()
      let sent = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let response = try await transport.send(HTTPRequest(.post, path: "/"), body: .bytes(sent))
      #expect(try await response.body.collect(upTo: sent.count) == sent)
      #expect(response.body.trailers?[.eTag] == "right")
      await transport.close()
    }
  }

  /// A part that blocks has a way off the thread on which everybody else is served.
  @Test func aHandlerLeavesTheThreadForWhatBlocks() async throws {
    let (isOther, open) = (DispatchSemaphore(value: 0), Gate())
    try await HTTP3TestServer.run(
      configure: { $0.options.runsHandlersOnReceivingThread = true },
      handler: { exchange in
        if exchange.request.path == "/blocks" {
          await withTaskExecutorPreference(globalConcurrentExecutor) {
            open.open()
            Self.wait(isOther)
          }
        } else {
          await open.wait()
          isOther.signal()
        }
        try? await exchange.respond(HTTPResponse(status: .ok))
        try? await exchange.finish()
      }
    ) { server in
      let transport = server.makeTransport()
      async let blocked = transport.send(HTTPRequest(path: "/blocks"))
      let other = try await transport.send(HTTPRequest(path: "/"))
      let answers = [other.head.status, try await blocked.head.status]
      #expect(answers == [.ok, .ok])
      await transport.close()
    }
  }

  private static func wait(_ semaphore: DispatchSemaphore) { semaphore.wait() }
}
