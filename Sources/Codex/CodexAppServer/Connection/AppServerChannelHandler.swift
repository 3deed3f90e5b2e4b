import Logging
import NIOCore
import ResolveKitCore
import Synchronization

/// The last handler of a connection's channel: does what ``AppServerCalls`` orders, and hands the rest to the inbox.
final class AppServerChannelHandler: ChannelDuplexHandler {
  typealias InboundIn = [UInt8]
  typealias OutboundIn = [UInt8]
  typealias OutboundOut = [UInt8]

  private let inbox: AppServerInbox
  private let limits: AppServerLimits
  private let counts: SharedCounts
  private let logger: Logger
  private var generator: any RandomNumberGenerator
  private var calls: AppServerCalls
  private var promises: [AppServerCalls.Number: EventLoopPromise<JSONValue>] = [:]
  private var timer: (deadline: Duration, task: Scheduled<Void>)?
  private var context: ChannelHandlerContext?
  private var isReadHeldBack = false
  private var ending: Ending?

  private enum Ending {
    case closed
    case failed(AppServerError)
  }

  init(
    inbox: AppServerInbox, counts: SharedCounts, limits: AppServerLimits, logger: Logger,
    generator: any RandomNumberGenerator
  ) {
    self.inbox = inbox
    self.counts = counts
    self.limits = limits
    self.logger = logger
    self.generator = generator
    calls = AppServerCalls(limits: limits)
  }

  // MARK: What is asked of it, on the event loop

  func call(
    _ number: AppServerCalls.Number, _ method: String, _ params: JSONValue, within time: Duration,
    _ promise: EventLoopPromise<JSONValue>
  ) {
    promises[number] = promise
    perform(calls.add(number, method, params, within: time, now: now))
  }

  func cancel(_ number: AppServerCalls.Number) {
    calls.cancel(number)
    promises.removeValue(forKey: number)?.fail(CancellationError())
    armTimer()
  }

  func send(_ message: AppServerMessage, _ promise: EventLoopPromise<Void>?) {
    let bytes = message.json.serialized()
    guard bytes.count <= limits.messageBytes else {
      promise?.fail(AppServerError.tooLargeToSend(limit: limits.messageBytes))
      return
    }
    guard let context, ending == nil else {
      promise?.fail(endError)
      return
    }
    context.writeAndFlush(wrapOutboundOut(bytes), promise: promise)
  }

  func close() {
    guard ending == nil else { return }
    ending = .closed
    end()
    context?.close(promise: nil)
  }

  /// There is room in the inbox again, or an answer is awaited.
  func readIfHeldBack() {
    guard isReadHeldBack, let context, mayRead() else { return }
    isReadHeldBack = false
    context.read()
  }

  // MARK: The channel

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) {
    fail(AppServerError(.connectionLost, "The connection to codex is gone; connect anew."))
    self.context = nil
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard ending == nil else { return }
    let bytes = unwrapInboundIn(data)
    do {
      receive(try AppServerMessage(parsing: bytes), bytes: bytes.count)
    } catch {
      logger.warning("a message of codex is passed over: \(error)")
      counts.change { $0.malformed &+= 1 }
    }
  }

  func read(context: ChannelHandlerContext) {
    if mayRead() { context.read() } else { isReadHeldBack = true }
  }

  func channelInactive(context: ChannelHandlerContext) {
    fail(AppServerError(.connectionLost, "Codex ended the connection; look whether it still runs, and connect anew."))
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    let reason =
      error as? AppServerError
      ?? AppServerError(.connectionLost, "The connection to codex broke off; connect anew.", cause: error)
    fail(reason)
    context.close(promise: nil)
  }

  private func receive(_ message: AppServerMessage, bytes: Int) {
    switch message {
    case .response(let id, let result): receive(.success(result), for: id)
    case .refusal(let id, let refusal): receive(.failure(refusal), for: id)
    case .notification(let method, let params):
      let notification = AppServerNotification(method: method, params: params)
      if case .unknown = notification.kind { counts.change { $0.unknownNotifications &+= 1 } }
      if case .unreadable = notification.kind { counts.change { $0.malformed &+= 1 } }
      inbox.add(.notification(notification), bytes: bytes)
    case .request(let id, let method, let params):
      receive(AppServerRequest(id: id, method: method, params: params), bytes: bytes)
    }
  }

  private func receive(_ answer: Result<JSONValue, AppServerRefusal>, for id: AppServerID?) {
    perform(calls.received(answer, for: id, now: now, using: &generator))
    let unmatched = calls.unmatchedAnswers
    counts.change { $0.unmatchedAnswers = unmatched }
  }

  /// A turn waits for an answer to each request; what nobody can answer is refused at once.
  private func receive(_ request: AppServerRequest, bytes: Int) {
    guard !request.isAnswerable else { return inbox.add(.request(request), bytes: bytes) }
    // Its text goes into the log, and back to codex, which need not read it.
    let method = JSONValue.string(request.method).cut(toBytes: 200).visibleText
    logger.warning("a request of codex is refused: \(method)")
    counts.change { $0.refusedRequests &+= 1 }
    let refusal = AppServerRefusal(
      code: AppServerRefusal.methodNotFound, message: "this client does not answer \(method)")
    send(.refusal(id: request.id, refusal), nil)
  }

  // MARK: Calls

  private func perform(_ actions: [AppServerCalls.Action]) {
    for action in actions {
      switch action {
      case .send(let id, let method, let params):
        send(.request(id: .integer(id), method: method, params: params), nil)
      case .finish(let number, .success(let result)): promises.removeValue(forKey: number)?.succeed(result)
      case .finish(let number, .failure(let error)): promises.removeValue(forKey: number)?.fail(error)
      }
    }
    armTimer()
    readIfHeldBack()
  }

  private func armTimer() {
    let deadline = calls.deadline
    guard deadline != timer?.deadline else { return }
    timer?.task.cancel()
    timer = nil
    guard let deadline, let context else { return }
    let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
    let task = context.eventLoop.scheduleTask(deadline: NIODeadline(deadline)) { handler.value.timerFired() }
    timer = (deadline, task)
  }

  private func timerFired() {
    timer = nil
    perform(calls.timePassed(now: now))
  }

  private var now: Duration { context.map { Duration($0.eventLoop.now) } ?? .zero }

  private func mayRead() -> Bool {
    guard let context else { return true }
    let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
    let loop = context.eventLoop
    return inbox.hasRoom(inCalls: calls.hasOpen) { loop.execute { handler.value.readIfHeldBack() } }
  }

  // MARK: The end

  private func fail(_ error: AppServerError) {
    guard ending == nil else { return }
    ending = .failed(error)
    end()
  }

  private func end() {
    perform(calls.finish(endError))
    if case .failed(let error) = ending { inbox.finish(error) } else { inbox.finish(nil) }
  }

  private var endError: AppServerError {
    switch ending {
    case .failed(let error): error
    case .closed, nil: AppServerError(.closed, "The connection to codex was closed.")
    }
  }
}
