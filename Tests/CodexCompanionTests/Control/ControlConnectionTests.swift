import Glibc
import NIOCore
import NIOEmbedded
import Testing

@testable import CodexCompanion

/// One connection in virtual time.
@Suite(.timeLimit(.minutes(10))) struct ControlConnectionTests {
  private struct Silent: ControlResponder {
    func answer(_ command: ControlCommand) async -> ControlReply {
      // Ends with the time for the answer, which cancels the task.
      let (never, _) = AsyncStream.makeStream(of: Never.self)
      for await _ in never {}
      return .done
    }
  }

  private struct Prompt: ControlResponder {
    func answer(_ command: ControlCommand) async -> ControlReply { .pairings([]) }
  }

  private let limits = ControlLimits()

  private func connect(
    user: uid_t? = geteuid(), responder: any ControlResponder = Prompt()
  ) async throws -> NIOAsyncTestingChannel {
    let channel = NIOAsyncTestingChannel()
    try await channel.testingEventLoop.executeInContext {
      try channel.pipeline.syncOperations.addHandler(
        ControlConnection(
          limits: limits,
          peerUser: { channel in
            user.map { channel.eventLoop.makeSucceededFuture($0) }
              ?? channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
          }, responder: responder))
    }
    try await channel.connect(to: SocketAddress(unixDomainSocketPath: "/test")).get()
    return channel
  }

  private func reply(of channel: NIOAsyncTestingChannel) async throws -> ControlReply {
    let bytes = try await channel.waitForOutboundWrite(as: ByteBuffer.self)
    return try ControlReply(line: Array(bytes.readableBytesView.dropLast()))
  }

  private func refusal(of channel: NIOAsyncTestingChannel) async throws -> ControlRefusal.Code? {
    guard case .refused(let refusal) = try await reply(of: channel) else { return nil }
    return refusal.code
  }

  @Test func aCommandIsAnsweredAndTheConnectionClosed() async throws {
    let channel = try await connect()
    for byte in ControlCommand.pairings.line {
      try await channel.writeInbound(ByteBuffer(bytes: [byte]))
    }
    #expect(try await reply(of: channel) == .pairings([]))
    try await channel.closeFuture.get()
  }

  @Test(arguments: [nil, geteuid() &+ 1])
  func anotherUserIsNotEvenRead(user: uid_t?) async throws {
    let channel = try await connect(user: user)
    try await channel.closeFuture.get()
    #expect(try await channel.readOutbound(as: ByteBuffer.self) == nil)
  }

  @Test func aSilentPeerIsClosed() async throws {
    let channel = try await connect()
    await channel.testingEventLoop.advanceTime(by: TimeAmount(limits.commandTime))
    try await channel.closeFuture.get()
  }

  @Test func aSlowPeerIsClosedHoweverItContinues() async throws {
    let channel = try await connect()
    for _ in 0..<4 {
      try await channel.writeInbound(ByteBuffer(string: "{"))
      await channel.testingEventLoop.advanceTime(by: TimeAmount(limits.commandTime / 4))
    }
    try await channel.closeFuture.get()
  }

  @Test func aPeerThatStopsInTheMiddleIsClosed() async throws {
    let channel = try await connect()
    try await channel.writeInbound(ByteBuffer(string: "{"))
    try await channel.testingEventLoop.executeInContext {
      channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }
    try await channel.closeFuture.get()
  }

  @Test(arguments: ["x\n", "{}\n", "{\"command\":\"devices\"}\n{\"command\":\"devices\"}\n"])
  func whatIsNoCommandIsReported(text: String) async throws {
    let channel = try await connect()
    try await channel.writeInbound(ByteBuffer(string: text))
    #expect(try await refusal(of: channel) == .invalidCommand)
    try await channel.closeFuture.get()
  }

  @Test func aLongCommandIsRefusedBeforeItEnds() async throws {
    let channel = try await connect()
    try await channel.writeInbound(ByteBuffer(repeating: 0x20, count: limits.commandBytes + 1))
    #expect(try await refusal(of: channel) == .invalidCommand)
  }

  @Test func anAnswerThatTakesTooLongIsRefused() async throws {
    let channel = try await connect(responder: Silent())
    try await channel.writeInbound(ByteBuffer(bytes: ControlCommand.devices.line))
    await channel.testingEventLoop.advanceTime(by: TimeAmount(limits.answerTime))
    #expect(try await refusal(of: channel) == .timedOut)
    try await channel.closeFuture.get()
  }
}
