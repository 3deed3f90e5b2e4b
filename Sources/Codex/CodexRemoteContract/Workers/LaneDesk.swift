import ResolveKitCore

/// Performs a worker's requests on a lane: which parameters there are, which thread is meant, in which order they are
/// performed, and the form of the answer are the same on every lane.
///
/// A request may take long, as where codex loads a thread or gives no answer. It keeps back those alone that change the
/// same thread, and no interrupt.
package struct LaneDesk: Sendable {
  private let lane: any CodexLane
  private let places = LanePlaces()

  package init(_ lane: any CodexLane) { self.lane = lane }

  /// Takes a request, in the order in which the worker's log has them; the job is performed in a task of its own.
  package func admit(_ request: LaneRequest) -> LaneJob {
    let call = Result { () throws(LaneRefusal) in try LaneCall(request) }
    let place: LanePlaces.Place? =
      switch call {
      case .success(let call): places.enter(call.line, isCounted: !call.isInterrupt)
      // Refused in its own time.
      case .failure: nil
      }
    return LaneJob(request, call, at: place, of: self)
  }

  /// The answer. Throws ``LaneRefusal``, and what the lane throws.
  func perform(_ call: LaneCall, requestID: String) async throws -> JSONValue {
    switch call {
    case .threadList(let page): return try page.answer(of: try await lane.threads())
    case .threadRead(let thread, let hasTurns):
      return .object(try await lane.read(try await target(thread), hasTurns: hasTurns))
    case .threadStart(let folder, let model):
      return ["thread": try await lane.begin(in: try await chosen(folder), model: model).json]
    case .threadResume(let thread):
      let id = try await target(thread)
      return ["thread": ["id": .string(id)], "status": .string(try await lane.load(id))]
    case .turnStart(let thread, let input, let settings):
      let turn = try await lane.send(input, with: settings, to: try await target(thread), id: requestID)
      return ["turn": ["id": .string(turn.id), "status": "inProgress"], "mode": .string(turn.mode.rawValue)]
    case .turnInterrupt(let thread, let turn): return ["interrupted": .bool(try await interrupt(thread, turn))]
    }
  }

  /// Interrupts the turn that runs; returns whether one did.
  ///
  /// - Parameter meant: the only turn that may be interrupted; nil for whichever runs.
  func interrupt(_ thread: String?, _ meant: String?) async throws -> Bool {
    let thread = try await target(thread)
    guard let running = try await lane.runningTurn(of: thread) else { return false }
    guard meant == nil || meant == running else {
      throw LaneRefusal(
        .conflict, "Another turn is running by now.",
        details: ["current_thread_id": .string(thread), "current_turn_id": .string(running)])
    }
    return try await lane.interrupt(thread)
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
          .forbidden, "The worker begins no thread in that folder; its operator configures those in which it does.")
      }
      return named
    }
    guard let only = folders.first else {
      throw LaneRefusal(.forbidden, "There is no folder in which the worker begins threads; its operator may set one.")
    }
    guard folders.count == 1 else {
      throw LaneRefusal(.conflict, "There are \(folders.count) folders; name one by cwd.")
    }
    return only
  }
}
