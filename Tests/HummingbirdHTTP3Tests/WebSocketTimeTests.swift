import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import HummingbirdHTTP3

/// A WebSocket's deadlines and buffers, in virtual time.
struct WebSocketTimeTests {
  @Test func aSilentClientIsAskedAndThenLeft() async throws {
    try await VirtualPeer.run { (peer) async throws in
      await peer.pass(.seconds(19))
      #expect(try await peer.frames().isEmpty)
      await peer.pass(.seconds(1))
      #expect(try await peer.frames() == [.ping])
      await peer.pass(.seconds(19))
      #expect(peer.isConnected)
      await peer.pass(.seconds(1))
      #expect(!peer.isConnected)
      #expect(try await peer.frames().isEmpty)
      #expect(try await peer.endOfMessages() == .unresponsive)
    }
  }

  @Test func aClientThatAnswersStays() async throws {
    try await VirtualPeer.run { (peer) async throws in
      for _ in 0..<100 {
        await peer.pass(.seconds(20))
        #expect(try await peer.frames() == [.ping])
        await peer.pass(.seconds(10))
        try await peer.send(ClientFrame(0x8a))
      }
      #expect(peer.isConnected)
    }
  }

  @Test(arguments: [false, true]) func aMessageThatTakesTooLongIsGivenUp(_ isFragmented: Bool) async throws {
    try await VirtualPeer.run { (peer) async throws in
      let whole = ClientFrame(0x81, Array(repeating: 65, count: 100)).bytes
      if isFragmented { try await peer.send(ClientFrame(0x01, [65])) } else { try await peer.send([whole[0]]) }
      for second in 1...59 {
        await peer.pass(.seconds(1))
        if isFragmented { try await peer.send(ClientFrame(0x00, [65])) } else { try await peer.send([whole[second]]) }
      }
      #expect(try await peer.frames().isEmpty)
      await peer.pass(.seconds(1))
      #expect(try await peer.frames().map(\.closeCode) == [1008])
      #expect(try await peer.endOfMessages() == .violation)
    }
  }

  @Test func aHandlerThatDoesNotReadIsNoFaultOfTheClients() async throws {
    try await VirtualPeer.run { (peer) async throws in
      for _ in 0..<4 { try await peer.send(.text("unread")) }
      await peer.pass(.hours(1))
      #expect(try await peer.frames().isEmpty)
      #expect(peer.isConnected)
    }
  }

  @Test func whatIsUnreadStopsTheReading() async throws {
    let reads = Mutex(0)
    try await VirtualPeer.run { (peer) async throws in
      try await peer.add { ReadCounter { reads.withLock { $0 += 1 } } }
      let messages = peer.inbound()
      var iterator = messages.makeAsyncIterator()
      peer.channel.pipeline.read()
      await peer.settle()
      #expect(reads.withLock { $0 } == 1)
      try await peer.send(.text("unread"), .text("unread"))
      let before = reads.withLock { $0 }
      peer.channel.pipeline.read()
      await peer.settle()
      #expect(reads.withLock { $0 } == before)
      for _ in 0..<2 { #expect(try await iterator.next() == .text("unread")) }
      await peer.settle()
      #expect(reads.withLock { $0 } == before + 1)
    }
  }

  /// Pongs that nobody takes do not pile up: the last ping's is the one that follows.
  @Test func aFloodOfPingsIsAnsweredAsFastAsItIsTaken() async throws {
    try await VirtualPeer.run { (peer) async throws in
      try await peer.add { HoldingHandler() }
      for number in 0..<1_000 { try await peer.send(.ping("\(number)")) }
      try await HoldingHandler.release(in: peer)
      #expect(try await peer.frames() == [.pong("0"), .pong("999")])
    }
  }

  @Test func aClientThatTakesNothingIsLeft() async throws {
    try await VirtualPeer.run({ $0.pingInterval = .seconds(3_600) }) { (peer) async throws in
      try await peer.add { HoldingHandler() }
      let outbound = peer.connection.outbound
      let megabyte = ByteBuffer(repeating: 0, count: 1 << 20)
      // Whichever of the two comes first waits, and the other does not.
      let refused = await withTaskGroup(of: WebSocketError.Code?.self) { group in
        for _ in 0..<2 {
          group.addTask {
            do {
              try await outbound.write(megabyte)
              return nil
            } catch {
              return (error as? WebSocketError)?.code
            }
          }
        }
        let refused = await group.next() ?? nil
        await peer.pass(.seconds(59))
        #expect(peer.isConnected)
        await peer.pass(.seconds(1))
        #expect(!peer.isConnected)
        #expect(await group.next() == .departed)
        return refused
      }
      #expect(refused == .crowded)
      #expect(try await peer.endOfMessages() == .unresponsive)
    }
  }

  @Test func aCloseThatIsNotAnsweredIsOverInTime() async throws {
    try await VirtualPeer.run { (peer) async throws in
      peer.connection.outbound.close()
      await peer.settle()
      #expect(try await peer.frames().map(\.closeCode) == [1000])
      #expect(try await peer.endOfMessages() == nil)
      await peer.pass(.seconds(4))
      #expect(peer.isConnected)
      await peer.pass(.seconds(1))
      #expect(!peer.isConnected)
    }
  }

  @Test func reasonsAreCutAtACharacterAndCodesThatAreNoneReplaced() {
    let closure = WebSocketClosure(WebSocketCloseCode(rawValue: 1006), String(repeating: "\u{20ac}", count: 100))
    #expect(closure.code == .internalError)
    #expect(closure.reason == String(repeating: "\u{20ac}", count: 41))
    #expect(closure.payload.readableBytes == 125)
  }
}

private final class ReadCounter: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer
  private let count: () -> Void

  init(_ count: @escaping () -> Void) {
    self.count = count
  }

  func read(context: ChannelHandlerContext) {
    count()
    context.read()
  }
}
