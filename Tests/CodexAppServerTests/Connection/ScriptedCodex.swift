import CodexAppServer
import Logging
import NIOCore
import NIOEmbedded
import ResolveKitCore
import TestSupport
import Testing

/// A connection by JSON lines whose other side is a script, in virtual time.
struct ScriptedCodex {
  let channel: NIOAsyncTestingChannel
  let connection: AppServerConnection

  init(limits: AppServerLimits = AppServerLimits()) async throws {
    channel = NIOAsyncTestingChannel()
    try await channel.connect(to: SocketAddress(unixDomainSocketPath: "/x")).get()
    let channel = channel
    try await channel.eventLoop.submit {
      try channel.pipeline.syncOperations.addHandler(JSONLinesHandler(limit: limits.messageBytes))
    }.get()
    connection = try await AppServerConnection.attach(
      to: channel, limits: limits, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
      generator: { SeededGenerator(seed: 1) })
  }

  /// Codex says something.
  func say(_ lines: String...) async throws {
    for line in lines { try await channel.writeInbound(ByteBuffer(string: line + "\n")) }
  }

  /// The next message that codex is sent.
  func heard() async throws -> AppServerMessage {
    var line = try await channel.waitForOutboundWrite(as: ByteBuffer.self)
    let bytes = line.readBytes(length: line.readableBytes) ?? []
    #expect(bytes.last == UInt8(ascii: "\n"))
    return try AppServerMessage(parsing: bytes)
  }
}
