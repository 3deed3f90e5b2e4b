import EventStream
import Foundation
import HTTPTypes
import StreamTransport
import ToolSupport

/// One request and its answer, with the times of its parts.
struct Exchange: Sendable {
  let transport: any HTTPTransport
  /// The part of the transport that is HTTP/3.
  let http3: HTTP3Transport
  let resource: Target.Resource
  let request: RequestMessage
  let sink: Sink
  let followsEvents: Bool
  let includesFields: Bool
  /// Whether new keys come into use in the course of the response.
  let updatesKeys: Bool
  private let clock = ContinuousClock()

  struct Outcome: Sendable {
    var status = FetchStatus.failed
    /// The error's sentence for standard error.
    var message: String?
    var report: FetchReport
    var isConnected = false
    /// Whether the next URL can be fetched.
    var allowsMore = false
  }

  init(
    transport: any HTTPTransport, http3: HTTP3Transport, resource: Target.Resource, request: RequestMessage,
    sink: Sink, followsEvents: Bool, includesFields: Bool, updatesKeys: Bool
  ) {
    self.transport = transport
    self.http3 = http3
    self.resource = resource
    self.request = request
    self.sink = sink
    self.followsEvents = followsEvents
    self.includesFields = includesFields
    self.updatesKeys = updatesKeys
  }

  /// - Parameter hasBegun: called when an event stream has begun, which may last as long as it likes.
  func run(hasBegun: @Sendable () -> Void) async -> Outcome {
    var outcome = Outcome(report: FetchReport(url: resource.url))
    let start = clock.now
    do {
      // Begun beside the handshake, which early data does not wait for.
      async let answer = transport.send(request.head(path: resource.path), body: request.body)
      let info = try await transport.connect()
      outcome.isConnected = true
      outcome.report.connect = clock.now - start
      outcome.report.connection = ConnectionSnapshot(connection: info)
      if updatesKeys { outcome.report.isKeyUpdated = false }
      let response = try await answer
      outcome.report.firstByte = clock.now - start
      outcome.report.status = response.head.status.code
      outcome.report.interim = response.interimResponses.map(\.status.code)
      outcome.report.bytes = 0
      if followsEvents {
        try await follow(response, since: start, hasBegun, &outcome)
      } else {
        try await read(response, &outcome)
      }
      outcome.allowsMore = true
    } catch {
      judge(error, &outcome)
    }
    outcome.report.total = clock.now - start
    if let snapshot = await transport.snapshot() { outcome.report.connection = snapshot }
    return outcome
  }

  /// Writes the body as it comes.
  private func read(_ response: TransportResponse, _ outcome: inout Outcome) async throws {
    try sink.write(includesFields ? FieldText.text(of: response) : "")
    var lastByte: UInt8?
    for try await chunk in response.body {
      try sink.write(chunk)
      lastByte = chunk.last ?? lastByte
      outcome.report.bytes? += chunk.count
      await updateKeys(&outcome)
    }
    outcome.report.trailers = response.body.trailers
    if includesFields, let trailers = response.body.trailers {
      try sink.write(FieldText.text(ofTrailers: trailers, after: lastByte))
    }
    await updateKeys(&outcome)
    outcome.status = .done
    let code = response.head.status.code
    if code >= 400 {
      outcome.status = .failed
      outcome.message = "\(transport.origin) answered with status \(code)."
    } else if outcome.report.isKeyUpdated == false {
      outcome.status = .failed
      outcome.message = "New keys could not be used: the server has not confirmed the handshake."
    }
  }

  /// Writes a line for each event as it comes.
  private func follow(
    _ response: TransportResponse, since start: ContinuousClock.Instant, _ hasBegun: @Sendable () -> Void,
    _ outcome: inout Outcome
  ) async throws {
    if includesFields { StandardError.write(FieldText.text(of: response)) }
    let code = response.head.status.code
    let type = response.head.headerFields[.contentType]
    let essence = type?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    guard code == 200 || code == 204, code == 204 || essence == "text/event-stream" else {
      let found = code == 200 ? "is no event stream but \(type ?? "of no type")" : "has status \(code)"
      let text = await beginning(of: response.body)
      outcome.message = "The answer of \(transport.origin) \(found)\(text.isEmpty ? "." : ": \(text)")"
      return
    }
    hasBegun()
    try sink.write("")
    var lines = EventLines()
    outcome.report.events = lines.times
    outcome.status = .truncatedStream
    for try await chunk in response.body {
      let arrival = ArrivalTime(sinceRequest: clock.now - start)
      outcome.report.bytes? += chunk.count
      defer { outcome.report.events = lines.times }
      try lines.receive(chunk, at: arrival) { try sink.write($0) }
      await updateKeys(&outcome)
      if lines.isDone { break }
    }
    outcome.report.trailers = response.body.trailers
    outcome.message = lines.truncation
    if outcome.message == nil { outcome.status = .done }
  }

  /// The beginning of a body that came in place of events: printable ASCII alone, since it goes to a terminal.
  private func beginning(of body: ResponseBody) async -> String {
    var bytes: [UInt8] = []
    do {
      // It may have no end.
      for try await chunk in body {
        bytes += chunk.prefix(1 << 10)
        if bytes.count >= 1 << 10 { break }
      }
    } catch {
      // What came until then is shown all the same.
    }
    return String(decoding: bytes.prefix(500).filter { (0x20..<0x7f).contains($0) }, as: UTF8.self)
  }

  private func updateKeys(_ outcome: inout Outcome) async {
    guard outcome.report.isKeyUpdated == false else { return }
    outcome.report.isKeyUpdated = await http3.updateKeys()
  }

  private func judge(_ error: any Error, _ outcome: inout Outcome) {
    switch error {
    case Sink.Failure.readerLeft: outcome.status = .done
    case let error as Sink.Failure:
      outcome.status = .failed
      outcome.message = error.description
    case let error as TransportError:
      outcome.message = error.description
      guard !outcome.isConnected else { break }
      outcome.status = error.code == .certificateRejected ? .certificateRejected : .noConnection
    case let error as EventStreamError:
      outcome.status = .failed
      outcome.message = error.description
    default: outcome.message = "\(error)"
    }
  }
}
