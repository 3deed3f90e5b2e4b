import EnginePair
import HTTP3Engine

/// A script as it is played to one client.
struct Play {
  /// The means of a step.
  struct Stage {
    var endpoint: HTTP3ServerEndpoint
    var now: Timestamp
    /// Datagrams to the client.
    var outgoing: [[UInt8]] = []
    var forgets = false
    var inapplicable: String?
  }

  private enum Progress {
    case done
    case waits
  }

  let steps: [Step]
  private(set) var index = 0
  var key: ConnectionKey?
  var path: NetworkPath
  /// The client's datagrams, up to a limit; how many are not handed over yet.
  private(set) var datagrams: [[UInt8]] = []
  private(set) var isHolding = false
  private(set) var isMuted = false
  private(set) var usesOtherPort = false
  private(set) var reply: (@Sendable ([UInt8]) -> [UInt8]?)?
  /// The end of the current pause.
  private(set) var pauseEnd: Timestamp?
  private var places: [Place: StreamID] = [:]
  /// A stream whose bytes the peer never sees; see ``RawStreams/sendFrames(_:carrier:bits:)``.
  private var carrier: StreamID?
  private var answered: Set<Int64> = []
  /// A whole response was written.
  private(set) var hasAnswered = false
  private static let datagramLimit = 64

  init(_ steps: [Step], path: NetworkPath) {
    self.steps = steps
    self.path = path
  }

  var isOver: Bool { index == steps.count }

  mutating func take(_ datagram: [UInt8]) {
    if datagrams.count < Self.datagramLimit { datagrams.append(datagram) }
  }

  /// Continues as far as it can.
  mutating func advance(on stage: inout Stage) {
    while index < steps.count {
      guard case .done = perform(steps[index], on: &stage) else { return }
      index += 1
    }
    answerOthers(on: stage)
  }

  private mutating func perform(_ step: Step, on stage: inout Stage) -> Progress {
    switch step {
    case .hold: isHolding = true
    case .untilDatagram(let count): if datagrams.count < count { return .waits }
    case .accept: isHolding = false
    case .acceptLatest:
      isHolding = false
      datagrams = datagrams.suffix(1)
    case .untilConnection: if key == nil { return .waits }
    case .parameter(let parameter): stage.endpoint.forgedParameter = parameter
    case .inject(let make): if let bytes = make(datagrams) { stage.outgoing.append(bytes) }
    case .injectAlways(let make): reply = make
    case .mute: isMuted = true
    case .move(let toOther): usesOtherPort = toOther
    case .forget: stage.forgets = true
    case .pause(let span): return pause(span, at: stage.now)
    case .forge, .greet, .untilHandshake, .untilRequest, .requireEarlyData, .open, .write, .compress, .reset, .stop,
      .frames, .answer, .close:
      guard let key, let connection = stage.endpoint.connection(key) else { return .waits }
      return perform(step, on: connection, &stage)
    }
    return .done
  }

  private mutating func perform(_ step: Step, on connection: HTTP3Connection, _ stage: inout Stage) -> Progress {
    switch step {
    case .forge(let frames, let inInitial): connection.raw?.forgeHandshake(frames, inInitial: inInitial)
    case .untilHandshake: if connection.handshake == nil { return .waits }
    case .greet(let control):
      guard connection.handshake != nil else { return .waits }
      greet(control, on: connection)
    case .untilRequest: if connection.raw?.bytes(on: StreamID(0)).isEmpty != false { return .waits }
    case .requireEarlyData:
      if !connection.arrivedEarly(StreamID(0)) { stage.inapplicable = "The client's request was no early data." }
    case .open(let place, let bytes):
      guard let id = connection.raw?.open(isBidirectional: false) else {
        stage.inapplicable = "The client allows too few unidirectional streams."
        return .waits
      }
      places[place] = id
      connection.raw?.send(bytes, on: id)
    case .write(let bytes, let place, let isLast):
      if place == .request, isLast { hasAnswered = true }
      if let id = stream(place) { connection.raw?.send(bytes, on: id, isLast: isLast) }
    case .compress(let place, let isLast, let make):
      guard let settings = clientSettings(connection) else { return .waits }
      guard let bytes = make(settings) else {
        stage.inapplicable = "The client's SETTINGS allow no such use of QPACK's table."
        return .waits
      }
      if place == .request, isLast { hasAnswered = true }
      if let id = stream(place) { connection.raw?.send(bytes, on: id, isLast: isLast) }
    case .reset(let place, let code): if let id = stream(place) { connection.raw?.reset(id, code: code) }
    case .stop(let place, let code): if let id = stream(place) { connection.raw?.stop(id, code: code) }
    case .frames(let frames, let bits):
      if carrier == nil { carrier = connection.raw?.open(isBidirectional: false) }
      guard let carrier else {
        stage.inapplicable = "The client allows too few unidirectional streams."
        return .waits
      }
      connection.raw?.sendFrames(frames, carrier: carrier, bits: bits)
    case .answer:
      hasAnswered = true
      connection.raw?.send(Wire.answer, on: StreamID(0), isLast: true)
    case .close(let code): connection.close(code, reason: "", at: stage.now)
    case .hold, .untilDatagram, .accept, .acceptLatest, .untilConnection, .parameter, .inject, .injectAlways, .mute,
      .move, .forget, .pause:
      break
    }
    return .done
  }

  private mutating func pause(_ span: Duration, at now: Timestamp) -> Progress {
    let end = pauseEnd ?? now + span
    pauseEnd = end <= now ? nil : end
    return end <= now ? .done : .waits
  }

  private mutating func greet(_ control: [UInt8], on connection: HTTP3Connection) {
    for (place, bytes) in [(Place.control, [0] + control), (.encoder, [2]), (.decoder, [3])] {
      guard let id = connection.raw?.open(isBidirectional: false) else { continue }
      places[place] = id
      connection.raw?.send(bytes, on: id)
    }
    carrier = connection.raw?.open(isBidirectional: false)
  }

  private func stream(_ place: Place) -> StreamID? { place == .request ? StreamID(0) : places[place] }

  private func clientSettings(_ connection: HTTP3Connection) -> ClientSettings? {
    for id in stride(from: Int64(2), to: 16, by: 4) {
      let bytes = connection.raw?.bytes(on: StreamID(id)) ?? []
      if bytes.first == 0 { return ClientSettings(controlStream: bytes) }
    }
    return nil
  }

  /// A client may try again on the same connection.
  private mutating func answerOthers(on stage: Stage) {
    guard let key, let connection = stage.endpoint.connection(key) else { return }
    for id in stride(from: Int64(4), through: 64, by: 4)
    where !answered.contains(id) && connection.raw?.bytes(on: StreamID(id)).isEmpty == false {
      answered.insert(id)
      hasAnswered = true
      connection.raw?.send(Wire.answer, on: StreamID(id), isLast: true)
    }
  }

  /// Whether the client has a whole response.
  func isAnswered(by connection: HTTP3Connection) -> Bool {
    stride(from: Int64(0), through: 64, by: 4).contains { connection.raw?.isCompleted(StreamID($0)) == true }
  }
}
