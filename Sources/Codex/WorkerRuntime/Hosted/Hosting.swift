import CodexAppServer
import CodexRemoteContract
import EventLedger
import ResolveKitCore
import Synchronization

/// A codex while it is hosted for a worker: its notifications go into the worker's log, and clients' requests are
/// performed.
final class Hosting: Sendable {
  /// Handshakes that are remembered, so that each gets one answer.
  private static let keptHandshakes = 1_024
  /// Messages that are remembered, so that each starts one turn.
  private static let keptMessages = 1_024

  let codex: any HostedCodex
  let outbox: HostedOutbox
  private let threads: HostedThreads
  private let desk: LaneDesk
  private let session: String
  private let now: @Sendable () -> WallTime
  private let ready = Mutex(false)
  private let acknowledged = Mutex<Set<String>>([])
  private let messages = Mutex<Set<String>>([])

  /// - Parameters:
  ///   - workspace: the folder in which codex works.
  ///   - session: names this runtime to clients that ask whether the device is there.
  init(
    _ codex: any HostedCodex, workspace: String, outbox: HostedOutbox, session: String,
    now: @escaping @Sendable () -> WallTime
  ) {
    self.codex = codex
    self.outbox = outbox
    self.session = session
    self.now = now
    threads = HostedThreads(codex, workspace: workspace)
    desk = LaneDesk(threads)
  }

  /// Whether codex can be asked.
  var isReady: Bool { ready.withLock { $0 } }

  /// Takes codex's notifications, in order.
  func take(_ event: HostedCodexEvent) async {
    threads.note(event)
    switch event {
    case .started(let version):
      ready.withLock { $0 = true }
      await outbox.reportHealth("ready", ["version": .string(version)])
      await outbox.start()
    case .notified(let method, let params):
      guard LaneEvent.methods.contains(method) else { return }
      let params = params.objectValue ?? [:]
      await outbox.put(
        LaneEvent.payload(
          source: LocalDevice.source, method: method,
          params: PayloadFit.fit(params, toBytes: LaneEvent.parameterLimit), thread: LaneEvent.thread(of: params),
          at: now().zulu))
    case .ended(let reason):
      ready.withLock { $0 = false }
      await outbox.reportHealth("restarting", ["reason": .string(reason)])
    }
  }

  /// Takes a request, in the order of the worker's log; nil for a message that came before.
  func admit(_ request: LaneRequest) -> LaneJob? {
    switch request.kind {
    case .request: return desk.admit(request)
    case .message:
      let isNew = messages.withLock { messages in
        if messages.count >= Self.keptMessages { messages = [] }
        return messages.insert(request.id).inserted
      }
      return isNew ? desk.admit(request) : nil
    }
  }

  /// Has codex do what is asked for, once it is the request's turn.
  func perform(_ request: LaneRequest, _ job: LaneJob) async {
    let result: Result<JSONValue, LaneRefusal>
    do {
      result = .success(try await job.perform())
    } catch let refusal as LaneRefusal {
      result = .failure(refusal)
    } catch is CancellationError {
      // The lane ends; whether codex did it is not known, and the runtime answers at the request's end.
      return
    } catch {
      result = .failure(LaneRefusal(.internalError, "\(error)"))
    }
    guard let end = LaneReceipt(result, of: request, source: LocalDevice.source, at: now().zulu) else { return }
    switch request.kind {
    case .request:
      if let receipt = Receipt(type: end.type, payload: end.payload) { await outbox.put(receipt) }
    case .message: await outbox.put(end.payload)
    }
  }

  /// Answers a handshake for codex while it is ready; where it is not, the client gets no answer and its handshake times
  /// out.
  func answer(_ handshake: HandshakeMessage) async {
    guard case .call(let id, _) = handshake, isReady else { return }
    let isNew = acknowledged.withLock { acknowledged in
      if acknowledged.count >= Self.keptHandshakes { acknowledged = [] }
      return acknowledged.insert(id).inserted
    }
    if isNew { await outbox.put(HandshakeMessage.acknowledgement(id: id, sessionID: session).payload(at: now().zulu)) }
  }
}
