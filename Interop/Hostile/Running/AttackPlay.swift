import EnginePair
import HTTP3Engine

/// A case of the second table as it is played on one of a client's raw connections.
struct AttackPlay {
  private let row: AttackCase
  private var index = 0
  private var places: [Place: StreamID] = [:]
  private var carrier: StreamID?
  private var pauseEnd: Timestamp?
  /// The good request behind all steps.
  private var probe: StreamID?
  private var isClosed = false
  /// Whether the server does not allow the streams that the case needs, so that the case says nothing of it.
  private(set) var isInapplicable = false

  init(_ row: AttackCase) { self.row = row }

  /// The time at which ``advance(_:at:)`` is due without an event.
  var deadline: Timestamp? { pauseEnd }

  mutating func note(_ event: HTTP3Event) {
    if case .closed = event { isClosed = true }
  }

  /// Takes as many steps as it can, and then sends the good request.
  mutating func advance(_ client: HTTP3Connection, at now: Timestamp) {
    while index < row.steps.count, !isInapplicable {
      guard perform(row.steps[index], on: client, at: now) else { return }
      index += 1
    }
    guard !isInapplicable, probe == nil, client.handshake != nil, pause(at: now) else { return }
    probe = client.raw?.open(isBidirectional: true)
    if let probe { client.raw?.send(Wire.get, on: probe, isLast: true) }
  }

  /// The server's outcome; nil while that is open.
  func outcome(_ client: HTTP3Connection) -> CaseOutcome? {
    for case .close(let close) in client.raw?.endings ?? [] {
      let code = WireCode(isApplication: close.isApplication, value: close.code)
      return code.isGraceful ? .refusal : .connectionError(code)
    }
    if let request = places[.request] {
      for ending in client.raw?.endings ?? [] {
        switch ending {
        case .resetStream(request.rawValue.magnitude, let code, _), .stopSending(request.rawValue.magnitude, let code):
          // A response that is complete may stop the rest of its request (RFC 9114 § 4.1).
          if code != ApplicationErrorCode.noError.rawValue {
            return .streamError(ApplicationErrorCode(rawValue: code))
          }
        default: break
        }
      }
    }
    if let probe, client.raw?.bytes(on: probe).isEmpty == false { return .success }
    return isClosed ? .refusal : nil
  }

  private mutating func perform(_ step: AttackCase.Step, on client: HTTP3Connection, at now: Timestamp) -> Bool {
    switch step {
    case .forge(let frames):
      client.raw?.forgeHandshake(frames, inInitial: false)
      return true
    case .pad(let frames):
      client.raw?.changePackets { first, payload in
        // An Initial packet (RFC 9000 § 17.2.2).
        if first & 0xb0 == 0x80 { Self.replacePadding(of: payload, with: frames) }
      }
      return true
    case .greet, .open, .write, .reset, .frames, .pause: break
    }
    guard client.handshake != nil else { return false }
    switch step {
    case .forge, .pad: break
    case .greet(let control):
      for (place, bytes) in [(Place.control, [0] + control), (.encoder, [2]), (.decoder, [3])] {
        open(place, isBidirectional: false, bytes, isLast: false, on: client)
      }
    case .open(let place, let isBidirectional, let bytes, let isLast):
      open(place, isBidirectional: isBidirectional, bytes, isLast: isLast, on: client)
    case .write(let bytes, let place, let isLast):
      if let id = places[place] { client.raw?.send(bytes, on: id, isLast: isLast) }
    case .reset(let place, let code): if let id = places[place] { client.raw?.reset(id, code: code) }
    case .frames(let frames):
      // A server need not allow a fourth unidirectional stream (RFC 9114 § 6.2); on one for a request the carrier's bytes
      // are reserved frames (RFC 9114 § 7.2.8).
      carrier = carrier ?? client.raw?.open(isBidirectional: false) ?? client.raw?.open(isBidirectional: true)
      if let carrier { client.raw?.sendFrames(frames, carrier: carrier) } else { isInapplicable = true }
    case .pause: return pause(at: now)
    }
    return true
  }

  private mutating func open(
    _ place: Place, isBidirectional: Bool, _ bytes: [UInt8], isLast: Bool, on client: HTTP3Connection
  ) {
    guard let id = client.raw?.open(isBidirectional: isBidirectional) else {
      isInapplicable = true
      return
    }
    places[place] = id
    client.raw?.send(bytes, on: id, isLast: isLast)
  }

  private static func replacePadding(of payload: UnsafeMutableRawBufferPointer, with frames: [UInt8]) {
    var decoder = QUICFrameDecoder(UnsafeRawBufferPointer(payload))
    var offset = 0
    while let (frame, length) = decoder.next() {
      if case .padding = frame, length >= frames.count {
        return UnsafeMutableRawBufferPointer(rebasing: payload[offset...]).copyBytes(from: frames)
      }
      offset += length
    }
  }

  /// 300 ms, for a server to notice.
  private mutating func pause(at now: Timestamp) -> Bool {
    let end = pauseEnd ?? now + .milliseconds(300)
    pauseEnd = end <= now ? nil : end
    return end <= now
  }
}
