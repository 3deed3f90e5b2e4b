import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import ResolveKitCore

/// Opens a WebSocket on a unix socket (RFC 6455 § 4.1).
struct WebSocketOpening {
  let path: String
  let time: Duration
  let limits: AppServerLimits
  let group: any EventLoopGroup

  func connection(logger: Logger) async throws -> AppServerConnection {
    let loop = group.next()
    let upgraded = loop.makePromise(of: Void.self)
    let limits = limits
    let bootstrap = ClientBootstrap(group: loop)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try Self.prepare(channel, limits, upgraded) }
      }
      .connectTimeout(TimeAmount(min(time, .seconds(3_600))))
    let channel: any Channel
    do {
      channel = try await bootstrap.connect(unixDomainSocketPath: path).get()
    } catch {
      upgraded.fail(error)
      throw AppServerError(
        .unreachable, "Nobody answers at \(path.visibleJSON); start codex, or look whether it still runs.", cause: error
      )
    }
    let limit = loop.scheduleTask(in: TimeAmount(min(time, .seconds(3_600)))) {
      upgraded.fail(AppServerError(.timedOut, "Codex did not answer at its socket in time; end it and start it anew."))
    }
    defer { limit.cancel() }
    do {
      try await withTaskCancellationHandler {
        try await upgraded.futureResult.get()
      } onCancel: {
        upgraded.fail(CancellationError())
      }
      return try await AppServerConnection.attach(to: channel, limits: limits, logger: logger)
    } catch {
      try? await channel.close()
      throw error
    }
  }

  /// Must be called on the channel's event loop.
  static func prepare(_ channel: any Channel, _ limits: AppServerLimits, _ upgraded: EventLoopPromise<Void>) throws {
    let limit = max(125, min(limits.messageBytes, Int(UInt32.max)))
    let request = UpgradeRequestHandler(upgraded: upgraded)
    let bound = NIOLoopBound(request, eventLoop: channel.eventLoop)
    let upgrader = NIOWebSocketClientUpgrader(maxFrameSize: limit, automaticErrorHandling: false) { channel, _ in
      channel.eventLoop.makeCompletedFuture {
        // Nothing is read until there is a reader.
        try channel.syncOptions?.setOption(.autoRead, value: false)
        try channel.pipeline.syncOperations.addHandler(WebSocketMessagesHandler(limit: limits.messageBytes))
      }
    }
    try channel.pipeline.syncOperations.addHTTPClientHandlers(
      leftOverBytesStrategy: .forwardBytes,
      withClientUpgrade: (
        upgraders: [upgrader],
        completionHandler: { context in
          context.pipeline.syncOperations.removeHandler(bound.value, promise: nil)
          upgraded.succeed(())
        }
      ))
    try channel.pipeline.syncOperations.addHandler(request)
  }
}
