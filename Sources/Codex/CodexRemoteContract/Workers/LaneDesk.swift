package import ResolveKitCore

/// Performs a worker's requests on a lane: which parameters there are, which thread is meant, and the form of the answer
/// are the same on every lane.
package struct LaneDesk: Sendable {
  private let lane: any CodexLane

  package init(_ lane: any CodexLane) { self.lane = lane }

  /// The answer. Throws ``LaneRefusal``, and what the lane throws.
  package func perform(_ request: LaneRequest) async throws -> JSONValue {
    switch try LaneCall(request) {
    case .threadList(let page): return try page.answer(of: try await lane.threads())
    case .threadRead(let thread, let hasTurns):
      return .object(try await lane.read(try await target(thread), hasTurns: hasTurns))
    case .threadStart(let folder, let model):
      return ["thread": try await lane.begin(in: try await chosen(folder), model: model).json]
    case .threadResume(let thread):
      let id = try await target(thread)
      return ["thread": ["id": .string(id)], "status": .string(try await lane.load(id))]
    case .turnStart(let thread, let input):
      let turn = try await lane.send(input, to: try await target(thread), id: request.id)
      return ["turn": ["id": .string(turn.id), "status": "inProgress"], "mode": .string(turn.mode.rawValue)]
    case .turnInterrupt(let thread, let turn): return try await interrupt(try await target(thread), turn)
    }
  }

  private func interrupt(_ thread: String, _ meant: String?) async throws -> JSONValue {
    guard let running = try await lane.runningTurn(of: thread) else { return ["interrupted": false] }
    guard meant == nil || meant == running else {
      throw LaneRefusal(
        .conflict, "Another turn is running by now.",
        details: ["current_thread_id": .string(thread), "current_turn_id": .string(running)])
    }
    return ["interrupted": .bool(try await lane.interrupt(thread))]
  }

  /// The thread that is meant: the one that is named, else the only one there is.
  private func target(_ named: String?) async throws -> String {
    if let named {
      try await lane.check(named)
      return named
    }
    let threads = try await lane.threads()
    guard let latest = threads.first else {
      throw LaneRefusal(.workerUnavailable, "There is no thread; start one.")
    }
    guard threads.count == 1 else {
      throw LaneRefusal(
        .conflict, "There are \(threads.count) threads; name one by thread_id.",
        details: ["current_thread_id": .string(latest.id)])
    }
    return latest.id
  }

  /// The folder of a new thread: the one that is named, else the only one there is. By bytes: two spellings of one
  /// character are two folders.
  private func chosen(_ named: String?) async throws -> String {
    let folders = try await lane.folders()
    if let named {
      guard folders.contains(where: { $0.utf8.elementsEqual(named.utf8) }) else {
        throw LaneRefusal(
          .forbidden, "The worker begins no thread in that folder; whoever runs it says in which it does.")
      }
      return named
    }
    guard let only = folders.first else {
      throw LaneRefusal(.forbidden, "There is no folder in which the worker begins threads; whoever runs it names one.")
    }
    guard folders.count == 1 else {
      throw LaneRefusal(.conflict, "There are \(folders.count) folders; name one by cwd.")
    }
    return only
  }
}
