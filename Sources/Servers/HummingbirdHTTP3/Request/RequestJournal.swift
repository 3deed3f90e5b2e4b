import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import StreamTransport

/// A server's log of each request, its access log, and the fields by which it signs each response.
struct RequestJournal: Sendable {
  /// A request that has begun.
  struct Entry: Sendable {
    let id: String
    let logger: Logger
    let started: Duration
    let summary: String
    /// The access log's record so far; nil where there is no such log.
    fileprivate var record: AccessRecord?
    fileprivate var traffic: ExchangeTraffic?
  }

  let logger: Logger
  let serverName: String?
  let accessLog: AccessLog?
  let date = HTTPDate()
  private let clock = TransportClock.continuous

  init(logger: Logger, serverName: String?, accessLog: AccessLog?) {
    self.logger = logger
    self.serverName = serverName
    self.accessLog = accessLog
  }

  func begin(_ request: Request, _ arrival: Arrival, from channel: any Channel) -> Entry {
    let id = RequestID.of(request.head)
    var logger = logger
    logger[metadataKey: "x-request-id"] = .string(id)
    // The path alone: a query may carry what does not belong into a log.
    let summary = "\(arrival.transport.rawValue) \(request.method.rawValue) \(request.uri.path)"
    var entry = Entry(id: id, logger: logger, started: clock.now(), summary: summary)
    if accessLog != nil {
      entry.record = record(of: request.head, id: id, arrival, from: channel.remoteAddress?.ipAddress)
      entry.traffic = arrival.traffic
    }
    return entry
  }

  /// Adds the fields that every response has.
  func sign(_ fields: inout HTTPFields, of entry: Entry) {
    fields[RequestID.name] = entry.id
    fields[.date] = date.now
    if let serverName, fields[.server] == nil { fields[.server] = serverName }
  }

  /// Logs how a request ended; `departure` is nil where the response is complete.
  func finish(_ entry: Entry, with status: HTTPResponse.Status, _ departure: Departure?) {
    let took = clock.now() - entry.started
    if let departure {
      entry.logger.info("\(entry.summary) \(status.code) left after \(took): \(departure.error)")
    } else {
      entry.logger.info("\(entry.summary) \(status.code) in \(took)")
    }
    guard let accessLog, var record = entry.record else { return }
    record.duration = took
    // Where nothing is counted the status was sent all the same, as that of a WebSocket.
    record.status = entry.traffic?.hasBegun == false && departure != nil ? nil : status.code
    record.bytesReceived = entry.traffic?.received
    record.bytesSent = entry.traffic?.sent
    record.ending = departure?.ending ?? .complete
    record.code = departure?.code
    accessLog(record)
  }

  /// Logs a request that the HTTP/3 server has answered itself.
  func refused(_ refusal: HTTP3ServerRefusal) {
    guard let accessLog else { return }
    var arrival = Arrival(.http3)
    arrival.isResumed = refusal.isResumed
    arrival.isEarlyData = refusal.isEarlyData
    var record = record(
      of: refusal.request, id: RequestID.of(refusal.request), arrival,
      from: InertChannels.parse(refusal.remoteAddress)?.ipAddress)
    record.status = refusal.status
    record.bytesReceived = 0
    record.bytesSent = 0
    accessLog(record)
  }

  private func record(
    of head: HTTPRequest, id: String, _ arrival: Arrival, from clientAddress: String?
  ) -> AccessRecord {
    var record = AccessRecord(
      time: clock.timeOfDay(), clientAddress: clientAddress, transport: arrival.transport, method: head.method.rawValue,
      authority: head.authority, path: Self.withoutQuery(head.path ?? ""), requestID: id)
    record.isResumed = arrival.isResumed
    record.isEarlyData = arrival.isEarlyData
    record.referrer = head.headerFields[.referer].map(Self.withoutQuery)
    record.userAgent = head.headerFields[.userAgent]
    return record
  }

  private static func withoutQuery(_ text: String) -> String { String(text.prefix { $0 != "?" }) }
}
