package import Logging
package import NIOCore
import NIOPosix
import NIOWebSocket

extension AppServerConnection {
  /// Connects to a codex that serves a socket (`codex app-server --listen unix://PATH`).
  /// - Throws: `AppServerError` of the codes `unreachable`, `timedOut` and `protocolViolation`.
  package static func connect(
    toSocket path: String, within time: Duration = .seconds(15), limits: AppServerLimits = AppServerLimits(),
    group: any EventLoopGroup = AppServerLoop.group, logger: Logger
  ) async throws -> AppServerConnection {
    try await WebSocketOpening(path: path, time: time, limits: limits, group: group).connection(logger: logger)
  }

  /// Speaks with a codex by its standard input and output. The descriptors are closed with the connection.
  package static func open(
    input: CInt, output: CInt, limits: AppServerLimits = AppServerLimits(),
    group: any EventLoopGroup = AppServerLoop.group, logger: Logger
  ) async throws -> AppServerConnection {
    let bootstrap = NIOPipeBootstrap(group: group)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(JSONLinesHandler(limit: limits.messageBytes))
        }
      }
      .channelOption(.autoRead, value: false)
    do {
      let channel = try await bootstrap.takingOwnershipOfDescriptors(input: input, output: output).get()
      return try await attach(to: channel, limits: limits, logger: logger)
    } catch {
      throw AppServerError(.startFailed, "Codex's input and output cannot be used.", cause: error)
    }
  }

  /// Sets a connection on a channel whose last handler makes messages of bytes. It begins to read then.
  package static func attach(
    to channel: any Channel, limits: AppServerLimits = AppServerLimits(), logger: Logger,
    generator: @escaping @Sendable () -> any RandomNumberGenerator = { SystemRandomNumberGenerator() }
  ) async throws -> AppServerConnection {
    try await channel.eventLoop.submit {
      try attachNow(to: channel, limits: limits, logger: logger, generator: generator())
    }.get()
  }

  /// The same, on the channel's event loop.
  package static func attachNow(
    to channel: any Channel, limits: AppServerLimits, logger: Logger,
    generator: any RandomNumberGenerator
  ) throws -> AppServerConnection {
    let inbox = AppServerInbox(limits: limits)
    let counts = SharedCounts()
    let handler = AppServerChannelHandler(
      inbox: inbox, counts: counts, limits: limits, logger: logger, generator: generator)
    try channel.pipeline.syncOperations.addHandler(handler)
    try channel.syncOptions?.setOption(.autoRead, value: true)
    return AppServerConnection(
      channel: channel, handler: NIOLoopBound(handler, eventLoop: channel.eventLoop), inbox: inbox, counts: counts,
      limits: limits)
  }
}
