import NIOCore
import NIOEmbedded

@testable import HummingbirdHTTP3

/// A client of a WebSocket's handlers on a channel in memory, whose time is the test's.
struct VirtualPeer: Sendable {
  let channel: NIOAsyncTestingChannel
  let connection: WebSocketConnection

  private init(_ channel: NIOAsyncTestingChannel, _ connection: WebSocketConnection) {
    self.channel = channel
    self.connection = connection
  }

  /// Lends a peer of a server whose messages have at most 1024 bytes.
  static func run(
    _ change: (inout WebSocketLimits) -> Void = { _ in }, _ body: (VirtualPeer) async throws -> Void
  ) async throws {
    var limits = WebSocketLimits()
    limits.maximumMessageSize = 1_024
    change(&limits)
    let channel = NIOAsyncTestingChannel()
    let connection = try await channel.testingEventLoop.executeInContext { [limits] in
      let (handlers, connection) = WebSocketChannelHandler.make(limits, on: channel.eventLoop)
      try channel.pipeline.syncOperations.addHandlers(handlers)
      return connection
    }
    try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 443)).get()
    let result = await Result { try await body(VirtualPeer(channel, connection)) }
    _ = try? await channel.finish(acceptAlreadyClosed: true)
    try result.get()
  }

  /// The bytes whole, in halves, or one by one.
  static func chunks(_ bytes: [UInt8], _ way: Int) -> [[UInt8]] {
    switch way {
    case 1: [bytes]
    case 2: [Array(bytes.prefix(bytes.count / 2)), Array(bytes.dropFirst(bytes.count / 2))]
    case _: bytes.map { [$0] }
    }
  }

  var isConnected: Bool { channel.isActive }

  func send(_ bytes: [UInt8]) async throws {
    try await channel.writeInbound(ByteBuffer(bytes: bytes))
  }

  func send(_ frames: ClientFrame...) async throws {
    try await send(frames.flatMap(\.bytes))
  }

  func pass(_ time: TimeAmount) async {
    await channel.testingEventLoop.advanceTime(by: time)
  }

  /// Lets what was asked for happen.
  func settle() async {
    await channel.testingEventLoop.run()
  }

  /// Puts a handler between the WebSocket's and the network.
  func add(_ make: @escaping @Sendable () -> any ChannelHandler) async throws {
    try await channel.testingEventLoop.executeInContext {
      try channel.pipeline.syncOperations.addHandler(make(), position: .first)
    }
  }

  /// The server's frames since last asked.
  func frames() async throws -> [ServerFrame] {
    var bytes = ByteBuffer()
    while var next = try await channel.readOutbound(as: ByteBuffer.self) { bytes.writeBuffer(&next) }
    var frames: [ServerFrame] = []
    while let frame = ServerFrame(from: &bytes) { frames.append(frame) }
    return frames
  }

  func inbound() -> WebSocketInbound { WebSocketInbound(connection.messages) }

  /// The code of the error that ends the messages; nil where they end in the way of the protocol.
  func endOfMessages() async throws -> WebSocketError.Code? {
    do {
      for try await _ in inbound() {}
      return nil
    } catch let error as WebSocketError {
      return error.code
    }
  }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}
