import HTTP3Engine

/// One row of the table: something that a server does wrong, or that is rare and allowed, and what a client has to do.
struct HostileCase: Sendable {
  enum Certificate: Sendable {
    case good
    case otherName
    case expired
    /// Of an authority that the client does not trust.
    case otherAuthority
  }

  var name: String
  /// The server's behavior.
  var does: String
  /// The section that says what a client has to do.
  var rule: String
  /// Each is right; the first is what the rule says first.
  var demands: [Demand]
  /// The server's script for each connection in turn; the last one is what counts.
  var scripts: [[Step]]
  /// From the client's first datagram to its end.
  var limit: Duration = .seconds(3)
  var certificate = Certificate.good
  var change: @Sendable (inout ServerConfiguration) -> Void = { _ in }

  init(_ name: String, _ does: String, _ rule: String, _ demands: [Demand], _ steps: [Step]) {
    self.name = name
    self.does = does
    self.rule = rule
    self.demands = demands
    scripts = [steps]
  }

  /// With the handshake and SETTINGS done and the request there; some time later the request is answered, for a client
  /// that has not noticed.
  static func late(
    _ name: String, _ does: String, _ rule: String, _ demands: [Demand], _ steps: Step...
  ) -> HostileCase {
    HostileCase(
      name, does, rule, demands, [.greet(), .untilRequest] + steps + [.pause(.milliseconds(300)), .answer])
  }

  /// With these bytes after the control stream's type.
  static func control(
    _ name: String, _ does: String, _ rule: String, _ demands: [Demand], _ bytes: [UInt8]
  ) -> HostileCase {
    HostileCase(
      name, does, rule, demands, [.greet(bytes), .untilRequest, .pause(.milliseconds(300)), .answer])
  }

  /// With these bytes, and then the end, in answer to the request.
  static func response(
    _ name: String, _ does: String, _ rule: String, _ demands: [Demand], _ bytes: [UInt8]
  ) -> HostileCase {
    HostileCase(name, does, rule, demands, [.greet(), .untilRequest, .write(bytes, on: .request, isLast: true)])
  }

  /// With these frames in a 1-RTT packet of their own.
  static func packet(
    _ name: String, _ does: String, _ rule: String, _ demands: [Demand], _ frames: [UInt8]
  ) -> HostileCase {
    late(name, does, rule, demands, .frames(frames))
  }

  static let all =
    streams + settings + messages + fields + compression + packets + packetStates + handshakes + cryptoBytes + ends

  static func named(_ name: String) -> HostileCase? { all.first { $0.name == name } }
}
