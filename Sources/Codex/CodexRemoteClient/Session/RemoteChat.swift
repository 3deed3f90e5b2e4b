import Foundation
public import Observation
public import ResolveKitCore

/// A chat of a companion: the one object that an app holds of it.
///
/// All state is on the main actor and may be observed; what happens, in order, is in ``updates()``.
@MainActor
@Observable
public final class RemoteChat {
  /// The chat as it is now.
  public private(set) var state = RemoteChatState()

  /// The chat's id at the companion.
  @ObservationIgnored public nonisolated let chatID: String
  /// The client that the chat is reached by.
  @ObservationIgnored public nonisolated let client: RemoteClient
  @ObservationIgnored private nonisolated let engine: RemoteChatEngine
  @ObservationIgnored private var mirror: Task<Void, Never>?
  @ObservationIgnored private var closing: Task<Void, Never>?

  /// A chat that nobody follows yet.
  public init(client: RemoteClient, chatID: String) {
    self.client = client
    self.chatID = chatID
    engine = RemoteChatEngine(client, chatID: chatID)
  }

  deinit {
    let engine = engine
    Task { await engine.close() }
  }

  /// The updates from now on, until ``close()``, for one reader; ask again for another, and where it is opened again.
  public nonisolated func updates() -> RemoteUpdates { engine.hub.updates() }

  /// Reads the history and follows the events, over whatever happens to the connection, until ``close()``. A chat that was
  /// closed reads its history again, and sends what waits.
  public func open() async {
    while let closing { await closing.value }
    guard mirror == nil else { return }
    let updates = engine.hub.updates()
    let engine = engine
    mirror = Task { [weak self] in
      for await _ in updates {
        let state = await engine.state
        self?.state = state
      }
    }
    await engine.open()
  }

  /// Stops following; every reader of ``updates()`` gets what is left, and then the end. The companion continues. Messages
  /// that are not sent yet wait in ``RemoteChatState/outgoing`` until ``open()``.
  public func close() async {
    if let closing { return await closing.value }
    let closing = Task {
      await engine.close()
      await mirror?.value
      mirror = nil
      state = await engine.state
      self.closing = nil
    }
    self.closing = closing
    await closing.value
  }

  /// The chat as it is now, also where the main actor does not have it yet.
  public nonisolated func currentState() async -> RemoteChatState { await engine.state }

  /// Reads the page of the history before those that were read, which comes as ``RemoteUpdate/earlier(_:hasMore:)``; whether
  /// there was one. Throws ``RemoteError``.
  @discardableResult
  public nonisolated func loadEarlier() async throws -> Bool { try await engine.loadEarlier() }

  /// Sends a message, which begins a turn or adds to the one that runs; it is kept and tried again while an outage lasts, and
  /// starts one turn however often. Returns its id; its outcome is in ``RemoteChatState/outgoing`` and ``updates()``.
  /// Up to 64 messages may be on their way.
  @discardableResult
  public nonisolated func send(_ text: String) async -> String {
    let id = UUID().uuidString.lowercased()
    await engine.send(text, id: id)
    return id
  }

  /// Withdraws a message that is not sent yet; whether it was still on its way. Its outcome is in ``updates()``: a
  /// request for it that runs may have it delivered.
  @discardableResult
  public nonisolated func withdraw(_ id: String) async -> Bool { await engine.withdraw(id) }

  /// Answers a question. An answer that comes too late has no effect, and ``RemoteUpdate/decisionRefused(id:reason:)`` says
  /// so.
  ///
  /// - Parameter content: the answers that an MCP server asks for.
  public nonisolated func decide(_ id: String, _ decision: RemoteDecision, content: JSONObject? = nil) async {
    await engine.decide(id, decision, content: content)
  }

  /// Interrupts the turn that runs; whether one did. Throws ``RemoteError``.
  public nonisolated func stop() async throws -> Bool { try await client.stop(chatID) }
}
