import CodexRemoteContract
import Crypto
import EventLedger
import JSONService
import ResolveKitCore

/// The one event that ends a request: `worker.response` or `worker.error` with the request's id.
struct Receipt: Equatable, Sendable {
  /// The contract's codes of a request that failed.
  typealias Code = LaneRefusal.Code

  let requestID: String
  let type: String
  let payload: JSONObject

  /// nil for an event that is no receipt. Nothing else is checked.
  init?(type: String, payload: JSONObject) {
    guard [EventType.response, EventType.error].contains(type), let id = payload["request_id"]?.stringValue else {
      return nil
    }
    requestID = id
    self.type = type
    self.payload = payload
  }

  /// A failure that the runtime itself reports.
  init(_ code: Code, _ message: String, requestID: String, method: String, at now: WallTime) {
    self.requestID = requestID
    type = EventType.error
    payload = [
      "request_id": .string(requestID), "method": .string(method), "code": .string(code.rawValue),
      "message": .string(message), "retryable": true, "occurred_at": .string(now.zulu),
    ]
  }

  /// A success of an adapter inside the runtime.
  init(response: JSONValue, requestID: String, method: String, at now: WallTime) {
    self.requestID = requestID
    type = EventType.response
    payload = [
      "request_id": .string(requestID), "method": .string(method), "ok": true, "response": response,
      "occurred_at": .string(now.zulu),
    ]
  }

  var draft: LedgerDraft { LedgerDraft(type: type, payload: JSONValue.object(payload).serialized()) }

  /// Equal for receipts that are the same.
  var digest: String { Digest.of(.string(type), .object(payload)) }

  /// Throws ``WorkerError`` where the contract does not allow it as an answer to a request of this method.
  func check(method: String) throws(WorkerError) {
    guard payload["method"]?.stringValue == method else {
      throw WorkerError(.invalidRequest, "method of a receipt is the request's: \(method)")
    }
    if type == EventType.response {
      guard payload["ok"]?.boolValue == true, payload["response"] != nil else {
        throw WorkerError(.invalidRequest, "worker.response has ok: true and a response; a failure is a worker.error")
      }
    } else {
      guard let code = payload["code"]?.stringValue, Code(rawValue: code) != nil,
        payload["message"]?.stringValue != nil
      else {
        let codes = Code.allCases.map(\.rawValue).joined(separator: " ")
        throw WorkerError(.invalidRequest, "worker.error has a message and a code, which is one of: \(codes)")
      }
    }
  }
}

/// Digests of JSON values, short enough to be kept in number.
enum Digest {
  static func of(_ values: JSONValue...) -> String {
    Hexadecimal.text(SHA256.hash(data: JSONValue.array(values).serialized()).prefix(16))
  }
}

/// The types of the events that the runtime knows; all begin with `worker.`.
enum EventType {
  static let started = "worker.started"
  static let stopped = "worker.stopped"
  static let heartbeat = "worker.heartbeat"
  static let request = "worker.request"
  static let response = "worker.response"
  static let error = "worker.error"
  static let event = "worker.event"
}
