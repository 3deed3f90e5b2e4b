public import ResolveKitCore

/// An event of a worker's log.
public struct WorkerEvent: Hashable, Sendable {
  /// The worker whose log it is; empty where the envelope does not say.
  public let workerID: String
  /// The place in the worker's log: 1 for the first, without gaps.
  public let sequence: Int64
  /// Such as `worker.event`.
  public let type: String
  /// The event's content; empty where it has none.
  public let payload: JSONObject
  /// The server's time, as it wrote it. Order is by ``sequence`` alone: clocks differ.
  public let occurredAt: String

  /// An event of these values.
  public init(workerID: String, sequence: Int64, type: String, payload: JSONObject, occurredAt: String) {
    self.workerID = workerID
    self.sequence = sequence
    self.type = type
    self.payload = payload
    self.occurredAt = occurredAt
  }

  /// Returns nil if the value is not an event's envelope.
  public init?(_ value: JSONValue) {
    guard let fields = WireObject(value), let sequence = fields.count("seq"), sequence > 0,
      let type = fields.word("event_type"), type.utf8.count <= 640
    else { return nil }
    self.init(
      workerID: fields.string("worker_id") ?? "", sequence: sequence, type: type, payload: fields.object("payload"),
      occurredAt: fields.string("occurred_at") ?? "")
  }

  /// The envelope as the stream has it.
  public var json: JSONValue {
    [
      "workerId": .string(workerID), "seq": .number(Double(sequence)), "eventType": .string(type),
      "payload": .object(payload), "occurredAt": .string(occurredAt),
    ]
  }

  /// The name of the payload's writer, such as `autopilot-desktop`; nil where it does not say.
  public var source: String? { WireObject(payload).word("source") }

  /// The method that the payload is about, such as codex's `turn/started`; nil where there is none.
  public var method: String? { WireObject(payload).word("method") }
}

/// An event to be stored in a worker's log.
public struct WorkerEventDraft: Hashable, Sendable {
  /// `worker.` and more, of 120 characters at most.
  public var type: String
  /// The event's content.
  public var payload: JSONObject

  /// An event to store; the runtime refuses a type that does not begin with `worker.`.
  public init(type: String = "worker.event", payload: JSONObject) {
    self.type = type
    self.payload = payload
  }

  var json: JSONValue { ["event": ["event_type": .string(type), "payload": .object(payload)]] }
}
