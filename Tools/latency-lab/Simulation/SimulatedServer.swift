import EventStream
import HTTP3Engine
import LinkModel

/// The origin in virtual time: the same routes and the same bytes as the real one, over HTTP/3 alone.
struct SimulatedServer {
  private struct Place: Hashable {
    var key: ConnectionKey
    var stream: StreamID
  }

  /// A stream of events on its way.
  private struct Emission {
    var place: Place
    var stream: Int
    var start: Int64
    var next: Int
    /// Whether as much is buffered as may be; continues when some of it is acknowledged.
    var isBlocked = false
  }

  let endpoint: HTTP3ServerEndpoint
  private let plan: ClientPlan
  private let eventBytes: Int
  private let bufferTarget: Int
  /// The emissions in the order of their requests; few, and a dictionary's order differs from process to process.
  private var emissions: [Emission] = []
  /// Bytes of a download that are left to send.
  private var downloads: [Place: Int] = [:]
  private var toolsAnswered: Set<Int> = []
  /// Tokens that were written and not yet sent.
  private var marks: [TokenMark] = []

  private static let chunk = [UInt8](repeating: UInt8(ascii: "."), count: 16 << 10)

  init(_ configuration: ServerConfiguration, plan: ClientPlan, random: RandomSource) {
    endpoint = HTTP3ServerEndpoint(configuration, random: random)
    self.plan = plan
    eventBytes = plan.eventBytes ?? Workload.defaultEventBytes
    bufferTarget = configuration.connection.sendBufferTarget
  }

  /// The time at which ``act(at:)`` has something to write.
  var nextEmission: Int64? {
    var earliest: Int64?
    for emission in emissions {
      guard let due = due(emission) else { continue }
      earliest = min(earliest ?? due, due)
    }
    return earliest
  }

  /// Takes the marks of the tokens that were written since the last call, for the link that is about to get them.
  mutating func takeMarks() -> [TokenMark] {
    defer { marks.removeAll(keepingCapacity: true) }
    return marks
  }

  /// Writes what is due, the earlier scheduled first.
  mutating func act(at now: Int64) {
    guard let earliest = nextEmission, earliest <= now else { return }
    let ready = emissions.compactMap { emission -> (place: Place, due: Int64)? in
      due(emission).flatMap { $0 <= now ? (emission.place, $0) : nil }
    }
    for (place, _) in ready.sorted(by: { $0.due < $1.due }) { emit(place, at: now) }
  }

  mutating func handle(_ event: HTTP3Event, _ key: ConnectionKey, at now: Int64) {
    switch event {
    case .headersReceived(let id, let fields):
      answer(fields.first { $0.name == ":path" }?.value ?? "", Place(key: key, stream: id), at: now)
    case .bodyReceived(let id, let bytes): endpoint.connection(key)?.consume(bytes.count, on: id)
    case .bodyAcknowledged(let id, let buffered):
      guard buffered < bufferTarget else { return }
      let place = Place(key: key, stream: id)
      if let index = index(of: place), emissions[index].isBlocked {
        emissions[index].isBlocked = false
        emit(place, at: now)
      }
      produce(place)
    case .streamReset(let id, _), .stopSendingReceived(let id, _): end(Place(key: key, stream: id))
    case .closed: for place in emissions.map(\.place) + downloads.keys where place.key == key { end(place) }
    case .handshakeCompleted, .settingsReceived, .informationalReceived, .trailersReceived, .messageCompleted,
      .streamClosed, .requestBegan, .requestStreamsAvailable, .goAwayReceived, .ticketReceived, .newTokenReceived,
      .pathSuspected,
      .pathAnswered,
      .datagramReceived, .pathValidated, .pathValidationFailed:
      break
    }
  }

  // MARK: Requests

  private mutating func answer(_ target: String, _ place: Place, at now: Int64) {
    let request = SimulatedRequest(target)
    switch request?.kind {
    case .stream(let index) where plan.offsetsNanoseconds.indices.contains(index):
      guard respond(200, "text/event-stream", on: place, endStream: false) else { return }
      write(EventStreamWriter.encode("{}", type: "opened"), on: place, endStream: false)
      emissions.append(
        Emission(
          place: place, stream: index, start: request?["start"] ?? now, next: max(0, Int(request?["from"] ?? 0))))
      emit(place, at: now)
    case .tool(let index):
      toolsAnswered.insert(index)
      _ = respond(204, nil, on: place, endStream: true)
      for emission in emissions where emission.stream == index { emit(emission.place, at: now) }
    case .bytes:
      let count = Int(request?["count"] ?? 0)
      guard (1...Workload.Limits.downloadBytes).contains(count) else {
        _ = respond(400, nil, on: place, endStream: true)
        return
      }
      guard respond(200, "application/octet-stream", on: place, endStream: false) else { return }
      downloads[place] = count
      produce(place)
    case .stream, nil: _ = respond(404, nil, on: place, endStream: true)
    }
  }

  private func respond(_ status: Int, _ type: String?, on place: Place, endStream: Bool) -> Bool {
    var fields = [HeaderField(":status", "\(status)")]
    if let type { fields += [HeaderField("content-type", type), HeaderField("cache-control", "no-store")] }
    return (try? endpoint.connection(place.key)?.sendResponse(fields, on: place.stream, endStream: endStream)) != nil
  }

  private func index(of place: Place) -> Int? {
    emissions.firstIndex { $0.place == place }
  }

  // MARK: Bodies

  /// The time at which a stream's next event can be written; nil while it waits for a tool's result or for room.
  private func due(_ emission: Emission) -> Int64? {
    let offsets = plan.offsetsNanoseconds[emission.stream]
    guard !emission.isBlocked, emission.next <= offsets.count else { return nil }
    if let tool = plan.toolSequence, emission.next == tool + 1, !toolsAnswered.contains(emission.stream) { return nil }
    return emission.next < offsets.count ? emission.start + offsets[emission.next] : 0
  }

  /// Writes a stream's events that are due by now, and its end behind the last.
  private mutating func emit(_ place: Place, at now: Int64) {
    while let index = index(of: place), let due = due(emissions[index]), due <= now {
      guard let connection = endpoint.connection(place.key), connection.bufferedBytes(on: place.stream) < bufferTarget
      else {
        emissions[index].isBlocked = true
        return
      }
      let sequence = emissions[index].next
      guard plan.offsetsNanoseconds[emissions[index].stream].indices.contains(sequence) else {
        write(EventStreamWriter.encode("{}", type: "end"), on: place, endStream: true)
        return end(place)
      }
      let payload = OriginPayload(sequence: sequence, scheduled: due, written: now)
      let type = sequence == plan.toolSequence ? "tool" : nil
      marks.append(TokenMark(stream: emissions[index].stream, sequence: sequence))
      write(payload.block(type: type, bytes: eventBytes), on: place, endStream: false)
      emissions[index].next += 1
    }
  }

  /// Keeps the send buffer of a download filled.
  private mutating func produce(_ place: Place) {
    while let left = downloads[place], let connection = endpoint.connection(place.key),
      connection.bufferedBytes(on: place.stream) < bufferTarget
    {
      let part = min(left, Self.chunk.count)
      write(Array(Self.chunk.prefix(part)), on: place, endStream: part == left)
      downloads[place] = part == left ? nil : left - part
    }
  }

  private func write(_ bytes: [UInt8], on place: Place, endStream: Bool) {
    // A stream that has ended accepts no more; its end is an event of its own.
    try? endpoint.connection(place.key)?.sendBody(bytes, on: place.stream, endStream: endStream)
  }

  private mutating func end(_ place: Place) {
    downloads[place] = nil
    emissions.removeAll { $0.place == place }
  }
}
