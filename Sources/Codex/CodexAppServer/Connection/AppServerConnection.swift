import Logging
import NIOCore
package import ResolveKitCore
import Synchronization

/// A connection to codex's app-server: calls it, answers it, and reports what it sends.
///
/// Events are to be read while the connection lives: what is unread holds codex back, at last its answers too. A call's
/// answer may reach its caller later than events that came after it reach their reader.
package final class AppServerConnection: Sendable {
  private let limits: AppServerLimits
  private let channel: any Channel
  private let handler: NIOLoopBound<AppServerChannelHandler>
  private let shared: SharedCounts
  private let lastNumber = Atomic<UInt64>(0)
  /// Codex's messages in their order, for one reader.
  package let events: AppServerEvents

  init(
    channel: any Channel, handler: NIOLoopBound<AppServerChannelHandler>, inbox: AppServerInbox, counts: SharedCounts,
    limits: AppServerLimits
  ) {
    self.limits = limits
    self.channel = channel
    self.handler = handler
    shared = counts
    events = AppServerEvents(inbox: inbox)
  }

  /// Asks codex. Answers come in any order; when it is overloaded, the request is sent again after a while.
  ///
  /// A call that was cancelled or timed out may be done by codex all the same.
  /// - Throws: `AppServerError`, or `CancellationError`.
  package func call(
    _ method: String, _ params: JSONValue = [:], within time: Duration = .seconds(30)
  ) async throws -> JSONValue {
    try Task.checkCancellation()
    // The members around the params take less than the hundred bytes.
    guard params.serialized().count + method.utf8.count <= limits.messageBytes - 100 else {
      throw AppServerError.tooLargeToSend(limit: limits.messageBytes)
    }
    let number = lastNumber.add(1, ordering: .relaxed).newValue
    let (loop, handler) = (channel.eventLoop, handler)
    let promise = loop.makePromise(of: JSONValue.self)
    let cancel: @Sendable () -> Void = { loop.execute { handler.value.cancel(number) } }
    return try await withTaskCancellationHandler {
      loop.execute { handler.value.call(number, method, params, within: time, promise) }
      // The handler below may have run before the call was there.
      if Task.isCancelled { cancel() }
      return try await promise.futureResult.get()
    } onCancel: {
      cancel()
    }
  }

  /// Sends a notification to codex; returns once it is written.
  package func notify(_ method: String, _ params: JSONValue = .null) async throws {
    try await send(.notification(method: method, params: params))
  }

  /// Answers a request of codex; returns once it was written. An answer that comes too late is passed over by codex.
  package func answer(_ id: AppServerID, result: JSONValue) async throws {
    try await send(.response(id: id, result: result))
  }

  /// Refuses a request of codex; an approval then counts as failed, and the turn continues.
  package func refuse(_ id: AppServerID, code: Int = AppServerRefusal.methodNotFound, message: String) async throws {
    try await send(.refusal(id: id, AppServerRefusal(code: code, message: message)))
  }

  /// Ends the connection. Open calls fail; codex continues with its turns where it serves a socket.
  package func close() {
    let handler = handler
    channel.eventLoop.execute { handler.value.close() }
  }

  /// Whether it was not closed, here or there.
  package var isOpen: Bool { channel.isActive }

  /// Returns once the connection is gone.
  package func waitForEnd() async {
    _ = try? await channel.closeFuture.get()
  }

  /// The messages that were ignored so far.
  package var counts: AppServerCounts { shared.value }

  private func send(_ message: AppServerMessage) async throws {
    let handler = handler
    let promise = channel.eventLoop.makePromise(of: Void.self)
    channel.eventLoop.execute { handler.value.send(message, promise) }
    do {
      try await promise.futureResult.get()
    } catch let error as AppServerError {
      throw error
    } catch {
      throw AppServerError(.connectionLost, "The connection to codex is gone; connect anew.", cause: error)
    }
  }
}
