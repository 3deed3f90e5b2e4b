import EventLedger
import Foundation
import HTTPTypes
import Hummingbird
import JSONService
import Logging
import ResolveKitCore

/// The routes below `/api/runtime/codex/workers`, the stream apart.
struct WorkerRoutes: Sendable {
  let services: RuntimeServices

  private static let idempotencyKey = HTTPField.Name("idempotency-key")
  private static let replayed = HTTPField.Name("idempotent-replayed")

  func list(_ request: Request, _ context: RuntimeContext, _ user: Principal) async throws -> Response {
    let filter = try WorkerInputs.filter(request.uri.queryParameters)
    let snapshots = try await services.registry.list(filter, for: user.id)
    let now = services.now()
    let projections = try await services.readModel.projections(of: snapshots)
    let summaries = zip(snapshots, projections).map { $0.summary(now: now, projection: $1) }
    return data(JSONText.array(summaries))
  }

  func create(_ request: Request, _ context: RuntimeContext, _ user: Principal) async throws -> Response {
    let input = try WorkerInputs.registration(try await JSONRequestBody.read(request, through: services.dialect))
    let worker = try await services.registry.register(input, for: user.id)
    return data(
      JSONText.of([
        "workerId": .string(worker.id.text), "status": .string(worker.status.rawValue),
        "latestSeq": JSONValue(worker.latest), "idempotentReplay": .bool(worker.isReplay),
      ]),
      status: worker.isReplay ? .ok : .accepted)
  }

  func snapshot(_ request: Request, _ context: RuntimeContext, _ user: Principal) async throws -> Response {
    let snapshot = try await services.registry.snapshot(of: try Self.id(context), for: user.id)
    return data(snapshot.text(now: services.now()))
  }

  func post(_ request: Request, _ context: RuntimeContext, _ user: Principal) async throws -> Response {
    let id = try Self.id(context)
    let event = try WorkerInputs.event(try await JSONRequestBody.read(request, through: services.dialect))
    let key = try Self.key(request)
    let posting = try await services.events.post(event, to: id, by: user.id, key: key)
    var answer = JSONText()
    answer.add("worker_id", .string(id.text))
    answer.add("seq", JSONValue(posting.event.sequence))
    answer.add("event_type", .string(posting.event.type))
    answer.add("payload", text: posting.event.payload)
    answer.add("occurred_at", .string(posting.event.time.zulu))
    var headers = HTTPFields()
    if posting.isRepeat, let name = Self.replayed { headers[name] = "true" }
    return data(answer.bytes, status: .accepted, headers: headers)
  }

  func ask(_ request: Request, _ context: RuntimeContext, _ user: Principal) async throws -> Response {
    let rate = try await services.throttle.admit(user.id)
    let id = try Self.id(context)
    let asked = try WorkerInputs.request(try await JSONRequestBody.read(request, through: services.dialect))
    context.logger.info(
      "request to a worker",
      metadata: [
        "worker_id": "\(id.text)", "request_id": "\(asked.id)",
        "method": "\(asked.method)",
      ])
    let outcome = try await services.requests.ask(asked, of: id, by: user.id)
    var answer = JSONText()
    answer.add("worker_id", .string(id.text))
    answer.add("request_id", .string(asked.id))
    answer.add("ok", .bool(outcome.isSuccess))
    answer.add("response", text: outcome.response)
    return data(answer.bytes, headers: rate)
  }

  func stop(_ request: Request, _ context: RuntimeContext, _ user: Principal) async throws -> Response {
    let id = try Self.id(context)
    let reason = try WorkerInputs.reason(try await JSONRequestBody.read(request, through: services.dialect))
    let isStopped = try await services.events.stop(id, by: user.id, reason: reason)
    return data(
      JSONText.of([
        "worker_id": .string(id.text), "status": "stopped", "idempotent_replay": .bool(!isStopped),
      ]),
      status: isStopped ? .accepted : .ok)
  }

  /// The worker that the path names. What no worker can be called is no worker.
  static func id(_ context: RuntimeContext) throws -> WorkerID {
    // The router leaves percent-encoded octets as they are, and clients write a colon as one.
    guard let text = context.parameters.get("id")?.removingPercentEncoding, let id = WorkerID(text) else {
      throw WorkerError.unknownWorker
    }
    return id
  }

  private static func key(_ request: Request) throws(WorkerError) -> String? {
    guard let name = idempotencyKey, let key = request.headers[name] else { return nil }
    guard (1...200).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw WorkerError(.invalidRequest, "Idempotency-Key is 1 to 200 visible ASCII characters")
    }
    return key
  }

  private func data(
    _ text: [UInt8], status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) -> Response {
    var body = JSONText()
    body.add("data", text: text)
    return .json(bytes: services.dialect.passed(body.bytes), status: status, headers: headers)
  }
}
