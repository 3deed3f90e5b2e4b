import EventLedger
import Logging
import Synchronization

/// Hosts codex for workers of the adapter `local` in this runtime. One runtime hosts a worker at a time: the one that has
/// its lane's lease. Others that were asked for it, or were started beside it, stand by.
final class LocalLane: HostedLane {
  private struct Place {
    let task: Task<Void, Never>
    /// Whether it was asked for since: the one that ends may have seen the worker's end before that.
    var isAskedAgain = false
  }

  /// Workers that are hosted or waited for.
  private static let standbyLimit = 256

  private let parts: LaneParts
  private let places: HostedPlaces
  private let make: LaneHosting.Maker
  /// nil once the runtime ends.
  private let hosting = Mutex<[WorkerID: Place]?>([:])

  init(_ parts: LaneParts, _ hosting: LaneHosting) {
    self.parts = parts
    make = hosting.make
    places = HostedPlaces(limit: hosting.limit)
  }

  func checkOffered() throws(WorkerError) {}

  func host(_ id: WorkerID) { host(id, isAsked: true) }

  /// Hosts a worker that is not over, as after a restart; where there is no place, once there is one.
  func resume(_ id: WorkerID) { host(id, isAsked: false) }

  /// Ends all that are hosted here; their workers stay as they are, and are hosted again by the next runtime.
  func end() async {
    let places = hosting.withLock { hosting in
      defer { hosting = nil }
      return hosting ?? [:]
    }
    for place in places.values { place.task.cancel() }
    for place in places.values { await place.task.value }
  }

  private func host(_ id: WorkerID, isAsked: Bool) {
    let isRoom = hosting.withLock { hosting in
      guard hosting != nil else { return true }
      if hosting?[id] != nil {
        if isAsked { hosting?[id]?.isAskedAgain = true }
        return true
      }
      guard hosting?.count ?? 0 < Self.standbyLimit else { return false }
      hosting?[id] = Place(
        task: Task { [weak self] in
          await self?.run(id, isAsked: isAsked)
          self?.ended(id)
        })
      return true
    }
    if !isRoom {
      parts.logger.error(
        "a worker is not hosted: \(Self.standbyLimit) are hosted or waited for, which is the most; stop some",
        metadata: ["worker_id": "\(id.text)"])
    }
  }

  private func ended(_ id: WorkerID) {
    let isAskedAgain = hosting.withLock { $0?.removeValue(forKey: id)?.isAskedAgain ?? false }
    if isAskedAgain { host(id, isAsked: true) }
  }

  private func run(_ id: WorkerID, isAsked: Bool) async {
    let device = LocalDevice(id, parts, places: places)
    do {
      try await device.run(isAsked: isAsked) { [make] in try make(id) }
    } catch is CancellationError {
      // The runtime ends, or the worker was stopped.
    } catch {
      parts.logger.error("a hosted worker fails: \(error)", metadata: ["worker_id": "\(id.text)"])
      do { try await device.fail("\(error)") } catch {
        parts.logger.error("its failure could not be reported: \(error)", metadata: ["worker_id": "\(id.text)"])
      }
    }
  }
}

/// The codex of hosted workers, and how many of them there may be.
struct LaneHosting: Sendable {
  /// Makes the codex of a worker.
  typealias Maker = @Sendable (WorkerID) throws -> (codex: any HostedCodex, workspace: String)

  let limit: Int
  let make: Maker
}

/// The services that a lane uses.
struct LaneParts: Sendable {
  let storage: Storage
  let directory: WorkerDirectory
  /// This runtime's own name.
  let holder: String
  let clock: any Clock<Duration>
  let now: @Sendable () -> WallTime
  let logger: Logger
}
