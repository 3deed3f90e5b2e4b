import NIOCore
import NIOPosix

/// Listens on the loopback address as long as a test's body runs.
enum TestListener {
  /// - Parameters:
  ///   - configure: adds a new connection's handlers.
  ///   - serve: runs for each connection, counted from 1; wraps it with ``wrap(_:_:)`` before it reads.
  static func run<Value: Sendable>(
    configure: @escaping @Sendable (any Channel) throws -> Void,
    serve: @escaping @Sendable (any Channel, Int) async throws -> Void,
    body: (_ port: Int) async throws -> Value
  ) async throws -> Value {
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.autoRead, value: false)
      .childChannelOption(.socketOption(.so_sndbuf), value: 256 << 10)
      .bind(host: "127.0.0.1", port: 0) { channel in
        channel.eventLoop.makeCompletedFuture {
          try configure(channel)
          return channel
        }
      }
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await withThrowingDiscardingTaskGroup { connections in
          try await listener.executeThenClose { incoming in
            var number = 0
            for try await channel in incoming {
              number += 1
              connections.addTask { [number] in
                try? await serve(channel, number)
                try? await channel.close()
              }
            }
          }
        }
      }
      let result: Result<Value, any Error>
      do {
        result = .success(try await body(listener.channel.localAddress?.port ?? 0))
      } catch {
        result = .failure(error)
      }
      group.cancelAll()
      while let _ = await group.nextResult() {}
      return try result.get()
    }
  }

  /// The connection as asynchronous sequences; reading begins here, so that nothing comes before its reader.
  static func wrap<Inbound: Sendable, Outbound: Sendable>(
    _ channel: any Channel, _ type: NIOAsyncChannel<Inbound, Outbound>.Type
  ) async throws -> NIOAsyncChannel<Inbound, Outbound> {
    try await channel.eventLoop.submit {
      let wrapped = try type.init(wrappingChannelSynchronously: channel)
      try channel.syncOptions?.setOption(.autoRead, value: true)
      return wrapped
    }.get()
  }
}
