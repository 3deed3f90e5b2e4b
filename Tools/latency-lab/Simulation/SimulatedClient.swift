import EventStream
import HTTP3Engine
import LatencyReport

/// The client in virtual time: opens the streams in the plan's order and follows them through breaks, by the same rules
/// as the real one.
struct SimulatedClient {
  let recorder: RunRecorder
  /// The time of the first request, and the schedule's start.
  let requested: Int64
  let start: Int64
  private(set) var connection: SimulatedConnection?
  /// Connections whose handshake was done.
  private(set) var connections = 0
  private let plan: ClientPlan
  private let configuration: ClientConfiguration
  private let random: RandomSource
  private let idleTimeout: Int64
  private var sockets = 0
  private var isReady = false
  private var streams: [SimulatedStream]
  private var streamOfID: [StreamID: Int] = [:]
  /// Requests that send a tool's result.
  private var tools: [StreamID: Int] = [:]
  private var generator: SimulationGenerator

  init(
    _ configuration: ClientConfiguration, plan: ClientPlan, seed: UInt64, random: RandomSource, at now: Int64
  ) {
    var plan = plan
    // A download is recorded as a stream with one event.
    if plan.downloadBytes != nil { plan.offsetsNanoseconds = [[0]] }
    self.plan = plan
    self.configuration = configuration
    self.random = random
    recorder = RunRecorder(plan: plan)
    requested = now
    start = now + plan.leadNanoseconds
    idleTimeout = plan.idleTimeout.nanosecondsClamped
    generator = SimulationGenerator(seed: seed)
    streams = plan.offsetsNanoseconds.map { _ in SimulatedStream() }
    if !streams.isEmpty { streams[0].state = .wanted }
    recorder.requested(0, .cold, at: now)
    connect(at: now)
  }

  var isDone: Bool { streams.allSatisfy { $0.state == .done } }

  /// The time at which ``act(at:)`` has something to do.
  var nextAction: Int64? {
    streams.compactMap { stream -> Int64? in
      switch stream.state {
      case .waiting(let until): until
      case .open: stream.lastActivity + idleTimeout
      case .idle, .wanted, .done: nil
      }
    }.min()
  }

  /// Asks again after a back-off, and gives up streams that are silent for too long.
  mutating func act(at now: Int64) {
    for index in streams.indices {
      switch streams[index].state {
      case .waiting(let until) where until <= now: streams[index].state = .wanted
      case .open where streams[index].lastActivity + idleTimeout <= now:
        if let id = streams[index].id { connection?.engine.cancel(id, code: .requestCancelled) }
        lose(index, "Nothing came for \(plan.idleTimeout).", at: now)
      case .waiting, .open, .idle, .wanted, .done: break
      }
    }
    sendWanted(at: now)
  }

  mutating func handle(_ event: HTTP3Event, at now: Int64) {
    switch event {
    case .handshakeCompleted:
      connections += 1
      if connections == 1 { recorder.connected(at: now) }
      isReady = true
      sendWanted(at: now)
    case .requestStreamsAvailable: sendWanted(at: now)
    case .headersReceived(let id, let fields): didRespond(id, fields, at: now)
    case .bodyReceived(let id, let bytes):
      connection?.engine.consume(bytes.count, on: id)
      if let index = streamOfID[id] { read(bytes, of: index, at: now) }
    case .messageCompleted(let id): didEnd(id, "The server ended the response early.", at: now)
    case .streamReset(let id, let error): didEnd(id, error.message, at: now)
    case .closed(let error): didClose(error, at: now)
    case .goAwayReceived, .settingsReceived, .informationalReceived, .trailersReceived, .stopSendingReceived,
      .streamClosed, .requestBegan, .bodyAcknowledged, .ticketReceived, .newTokenReceived, .pathSuspected,
      .pathAnswered,
      .datagramReceived, .pathValidated, .pathValidationFailed:
      break
    }
  }

  // MARK: Connection

  private mutating func connect(at now: Int64) {
    isReady = false
    do {
      let new = try SimulatedConnection(socket: sockets, configuration, random: random, at: now)
      // As the clients that are measured: the streams are answers that a person waits for.
      new.engine.setResponseExpected(true)
      connection = new
      sockets += 1
    } catch {
      recorder.failed("\(error)")
    }
  }

  private mutating func didClose(_ error: HTTP3Error, at now: Int64) {
    connection = nil
    isReady = false
    streamOfID = [:]
    for index in tools.values where !streams[index].hasToolAnswer { streams[index].wantsTool = true }
    tools = [:]
    for index in streams.indices {
      switch streams[index].state {
      case .open, .wanted: lose(index, error.message, at: now)
      case .idle, .waiting, .done: break
      }
    }
  }

  private mutating func sendWanted(at now: Int64) {
    guard streams.contains(where: { $0.state == .wanted || $0.wantsTool }) else { return }
    guard let connection else { return connect(at: now) }
    guard isReady else { return }
    for index in streams.indices {
      if streams[index].state == .wanted { ask(for: index, connection, at: now) }
      if streams[index].wantsTool { sendTool(of: index, connection) }
    }
  }

  // MARK: Streams

  private mutating func ask(for index: Int, _ connection: SimulatedConnection, at now: Int64) {
    let path =
      plan.downloadBytes.map(StreamClientRules.downloadPath)
      ?? StreamClientRules.path(of: index, start: start, from: streams[index].next)
    // Where the server allows no more at once, `requestStreamsAvailable` comes.
    guard let id = try? connection.engine.sendRequest(SimulatedConnection.fields("GET", path), endStream: true) else {
      return
    }
    recorder.requested(index, .warm, at: now)
    streamOfID[id] = index
    streams[index].begin(id, at: now)
  }

  private mutating func didRespond(_ id: StreamID, _ fields: [HeaderField], at now: Int64) {
    let status = fields.first { $0.name == ":status" }?.value
    if let index = tools[id], status == "204" { streams[index].hasToolAnswer = true }
    guard let index = streamOfID[id] else { return }
    streams[index].lastActivity = now
    streams[index].respondedAt = now
    guard status != "200" else { return }
    recorder.failed("Stream \(index): The server answered with status \(status ?? "none").")
    streams[index].state = .done
  }

  private mutating func read(_ bytes: [UInt8], of index: Int, at now: Int64) {
    streams[index].lastActivity = now
    if let count = plan.downloadBytes { return download(bytes.count, of: count, at: now) }
    var parser = streams[index].parser
    do {
      for item in try parser.parse(bytes) {
        guard case .event(let event) = item else { continue }
        streams[index].next = StreamClientRules.next(after: event.lastEventID)
        take(event, of: index, at: now)
      }
      streams[index].parser = parser
    } catch {
      recorder.failed("Stream \(index): \(error)")
      streams[index].state = .done
    }
  }

  private mutating func take(_ event: ServerSentEvent, of index: Int, at now: Int64) {
    switch OriginEvent(event) {
    case .opened:
      recorder.opened(index, at: now)
      guard index == 0 else { return }
      for other in streams.indices where streams[other].state == .idle { streams[other].state = .wanted }
      sendWanted(at: now)
    case .token(let payload): recorder.received(payload, on: index, at: now)
    case .tool(let payload):
      recorder.received(payload, on: index, at: now)
      streams[index].wantsTool = true
      sendWanted(at: now)
    case .end: streams[index].state = .done
    case .unknown: recorder.failed("The server sent an event that is not the origin's: \(event.type).")
    }
  }

  private mutating func didEnd(_ id: StreamID, _ reason: String, at now: Int64) {
    if let index = tools.removeValue(forKey: id), !streams[index].hasToolAnswer { streams[index].wantsTool = true }
    if let index = streamOfID[id], case .open = streams[index].state { lose(index, reason, at: now) }
  }

  private mutating func sendTool(of index: Int, _ connection: SimulatedConnection) {
    let path = StreamClientRules.toolPath(of: index, start: start)
    let fields = SimulatedConnection.fields("POST", path) + [HeaderField("content-type", "application/json")]
    guard let id = try? connection.engine.sendRequest(fields, endStream: false) else { return }
    streams[index].wantsTool = false
    tools[id] = index
    try? connection.engine.sendBody(Array("{}".utf8), on: id, endStream: true)
  }

  private mutating func download(_ count: Int, of total: Int, at now: Int64) {
    recorder.opened(0, at: now)
    streams[0].downloaded += count
    guard streams[0].downloaded == total else { return }
    recorder.received(OriginPayload(sequence: 0, scheduled: requested, written: requested), on: 0, at: now)
    streams[0].state = .done
  }

  /// A stream broke: it is requested again after a back-off. A download is not, because it would start over.
  private mutating func lose(_ index: Int, _ reason: String, at now: Int64) {
    if plan.downloadBytes != nil {
      recorder.failed("The download stopped after \(streams[0].downloaded) of \(plan.downloadBytes ?? 0) bytes.")
      streams[0].state = .done
      return
    }
    if let id = streams[index].id { streamOfID[id] = nil }
    recorder.broke(index, at: now, reason: reason)
    streams[index].wait(at: now, using: &generator)
  }
}
