import EnginePair
import HTTP3Engine

/// One row of the second table: something that a client does wrong, or that is rare and allowed, and what a server has to
/// do. `success` stands for an answer to a good request on the same connection afterwards.
struct AttackCase: Sendable {
  enum Step: Sendable {
    /// In place of the frames of the next Handshake packet.
    case forge([UInt8])
    /// In place of the padding behind the ClientHello, which the server is to read.
    case pad([UInt8])
    /// Waits for the handshake's end and opens the control stream, with these bytes, and both of QPACK.
    case greet([UInt8])
    /// A new stream.
    case open(Place, isBidirectional: Bool, [UInt8], isLast: Bool = false)
    case write([UInt8], on: Place, isLast: Bool = false)
    case reset(Place, ApplicationErrorCode)
    /// Frames in a 1-RTT packet of their own.
    case frames([UInt8])
    case pause
  }

  var name: String
  /// The client's behavior.
  var does: String
  /// The section that says what a server has to do.
  var rule: String
  /// Each is right; the first is what the rule says first.
  var demands: [Demand]
  var steps: [Step]
  var change: @Sendable (inout ClientConfiguration) -> Void = { _ in }

  init(_ name: String, _ does: String, _ rule: String, _ demands: [Demand], _ steps: [Step]) {
    self.name = name
    self.does = does
    self.rule = rule
    self.demands = demands
    self.steps = steps
  }

  /// With the handshake done and a good beginning of HTTP/3.
  static func after(
    _ name: String, _ does: String, _ rule: String, _ demands: [Demand], _ steps: Step...
  ) -> AttackCase {
    AttackCase(name, does, rule, demands, [.greet(settings)] + steps)
  }

  /// With these bytes as the whole control stream behind its type.
  static func control(
    _ name: String, _ does: String, _ rule: String, _ demands: [Demand], _ bytes: [UInt8]
  ) -> AttackCase {
    AttackCase(name, does, rule, demands, [.greet(bytes)])
  }

  /// With these bytes as a whole request.
  static func request(
    _ name: String, _ does: String, _ rule: String, _ demands: [Demand], _ bytes: [UInt8], isLast: Bool = true
  ) -> AttackCase {
    after(name, does, rule, demands, .open(.request, isBidirectional: true, bytes, isLast: isLast))
  }

  func changed(_ change: @escaping @Sendable (inout ClientConfiguration) -> Void) -> AttackCase {
    var row = self
    row.change = change
    return row
  }

  static let settings = Wire.settings((6, 65_536), (1, 0), (7, 0))

  static let all = handshakes + frames + streams + requests

  /// A request that every server answers.
  static let good = request(
    "request", "sends a good request", "RFC 9114 § 4.1", [.success], Wire.get)

  static func named(_ name: String) -> AttackCase? { all.first { $0.name == name } }
}
