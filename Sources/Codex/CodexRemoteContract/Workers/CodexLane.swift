package import ResolveKitCore

/// The part of a worker's requests that depends on what runs codex. ``LaneDesk`` does what all lanes have in common.
///
/// Methods throw ``LaneRefusal``, or what the lane makes one of.
package protocol CodexLane: Sendable {
  /// The folders in which the worker's threads may begin.
  func folders() async throws -> [String]

  /// The worker's threads, the one that was used last first.
  func threads() async throws -> [LaneThread]

  /// Returns for a thread of the worker's; throws `invalidRequest` where there is none, `forbidden` where it is not.
  func check(_ thread: String) async throws

  func begin(in folder: String, model: String?) async throws -> LaneThread

  /// Has codex load a thread. Returns "already_active", "resumed", or "no_rollout" for one that has no turn yet.
  func load(_ thread: String) async throws -> String

  /// Sends input: a new turn, or more for the one that runs.
  ///
  /// - Parameters:
  ///   - settings: for a new turn; one that runs keeps its own.
  ///   - id: of the request; the same one sent again starts no second turn.
  func send(
    _ input: [JSONValue], with settings: LaneTurnSettings, to thread: String, id: String
  ) async throws -> LaneTurn

  /// The turn that runs in a thread; nil where none does.
  func runningTurn(of thread: String) async throws -> String?

  /// Interrupts the turn that runs. Returns false where none does any more.
  func interrupt(_ thread: String) async throws -> Bool

  /// Codex's answer to `thread/read`, within the limit of an event's parameters.
  func read(_ thread: String, hasTurns: Bool) async throws -> JSONObject
}

/// The turn that takes an input.
package struct LaneTurn: Equatable, Sendable {
  package enum Mode: String, Sendable {
    case started
    case steered
  }

  package let id: String
  package let mode: Mode

  package init(id: String, mode: Mode) {
    self.id = id
    self.mode = mode
  }
}
