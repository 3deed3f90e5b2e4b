import CodexRemoteContract
import EventLedger
import ResolveKitCore

/// The state that follows from a worker's events: status, heartbeat, requests. Pure.
struct WorkerState: StreamFold, Equatable {
  private(set) var lifecycle = WorkerLifecycle()
  private(set) var requests = RequestBook()
  /// The sequence number of the last event; 0 before the first.
  private(set) var latest: Int64 = 0
  private(set) var sizes = StoredSizes()
  private(set) var updatedAt: WallTime?
  /// The time of the device's latest heartbeat. No other event counts: a telephone's would make a dead device look alive.
  private(set) var heartbeatAt: WallTime?

  init() {}

  mutating func apply(_ event: LedgerEvent) {
    latest = event.sequence
    updatedAt = event.time
    sizes.add(event)
    switch event.type {
    case EventType.heartbeat: heartbeatAt = event.time
    case EventType.started: started(event)
    case EventType.stopped:
      let isFailure = event.members["status"]?.stringValue == RuntimeWorkerStatus.failed.rawValue
      lifecycle.take(.stopped(isFailure ? .failed : .stopped), at: event.time)
    case EventType.request: requested(event)
    case EventType.response, EventType.error: ended(event)
    default: break
    }
  }

  /// A device's own `worker.started` reports a thread, and names no status.
  private mutating func started(_ event: LedgerEvent) {
    switch event.members["status"]?.stringValue {
    case RuntimeWorkerStatus.starting.rawValue: lifecycle.take(.started(.starting), at: event.time)
    case RuntimeWorkerStatus.running.rawValue: lifecycle.take(.started(.running), at: event.time)
    default: break
    }
  }

  private mutating func requested(_ event: LedgerEvent) {
    let members = event.members
    guard let id = members["request_id"]?.stringValue, let method = members["method"]?.stringValue,
      let timeout = members["timeout_ms"]?.number
    else { return }
    requests.opened(
      id,
      RequestBook.Open(
        method: method, digest: WorkerRequest.digest(method: method, params: members["params"]),
        sequence: event.sequence, expiry: event.time + .milliseconds(timeout)))
  }

  private mutating func ended(_ event: LedgerEvent) {
    guard let receipt = Receipt(type: event.type, payload: event.members) else { return }
    requests.closed(
      receipt.requestID, digest: receipt.payload[Self.refusedDigest]?.stringValue, receiptDigest: receipt.digest,
      sequence: event.sequence)
  }

  /// The member of a receipt without a request that has the request's digest.
  static let refusedDigest = "request_digest"

  /// The receipts that end all requests that wait.
  func receiptsOfStop(at now: WallTime) -> [Receipt] {
    requests.openIDs.compactMap { id in
      requests.open[id].map {
        Receipt(.workerUnavailable, "worker was stopped", requestID: id, method: $0.method, at: now)
      }
    }
  }

  /// The receipts that end the requests whose time is over.
  func receiptsOfExpiry(at now: WallTime) -> [Receipt] {
    requests.expired(at: now).compactMap { id in
      requests.open[id].map {
        Receipt(.timeout, "the device gave no receipt in time", requestID: id, method: $0.method, at: now)
      }
    }
  }

  var json: JSONValue {
    var members: JSONObject = ["latest": JSONValue(latest), "requests": requests.json, "sizes": sizes.json]
    members["status"] = lifecycle.status.map { .string($0.rawValue) }
    members["started"] = lifecycle.startedAt.map { JSONValue($0.microseconds) }
    members["stopped"] = lifecycle.stoppedAt.map { JSONValue($0.microseconds) }
    members["updated"] = updatedAt.map { JSONValue($0.microseconds) }
    members["heartbeat"] = heartbeatAt.map { JSONValue($0.microseconds) }
    return .object(members)
  }

  /// A state that was kept.
  init(_ json: JSONValue?) {
    let members = json?.objectValue ?? [:]
    func time(_ name: String) -> WallTime? { members[name]?.number.map { WallTime(microseconds: $0) } }
    latest = members["latest"]?.number ?? 0
    requests = RequestBook(members["requests"])
    sizes = StoredSizes(members["sizes"])
    lifecycle = WorkerLifecycle(
      status: members["status"]?.stringValue.flatMap { RuntimeWorkerStatus(rawValue: $0) }, startedAt: time("started"),
      stoppedAt: time("stopped"))
    updatedAt = time("updated")
    heartbeatAt = time("heartbeat")
  }
}

extension LedgerEvent {
  /// The payload's members; none where it is no object.
  var members: JSONObject { (try? JSONValue(parsing: payload))?.objectValue ?? [:] }
}
