import HTTP3Engine

/// A way to run HTTP/3 in virtual time; HTTP/1.1 and HTTP/2 need a kernel's TCP and cannot be simulated.
struct SimulatedArm: Sendable {
  var name: String
  /// The protocol's common name: "HTTP/3".
  var label: String
  /// Notes for the reader of its numbers.
  var notes: [String] = []
  /// The arm's changes to the configuration of both sides.
  var configure: @Sendable (inout ConnectionConfiguration) -> Void = { _ in }

  /// The arms, in the order in which reports show them.
  static let all: [SimulatedArm] = [
    SimulatedArm(name: "h3", label: "HTTP/3"),
    SimulatedArm(
      name: "h3-stock", label: "HTTP/3, QUIC's defaults",
      notes: ["first guess of the round trip 333 ms, acknowledgements held back for 25 ms"],
      configure: {
        $0.initialRoundTrip = StockRecovery.initialRoundTrip
        $0.maximumAckDelay = StockRecovery.maximumAckDelay
      }),
    SimulatedArm(
      name: "h3-rtt-100", label: "HTTP/3, first guess 100 ms", notes: ["acknowledgements held back for 25 ms"],
      configure: { $0.maximumAckDelay = StockRecovery.maximumAckDelay }),
    SimulatedArm(
      name: "h3-repeat", label: "HTTP/3, repeats", configure: { $0.repeats = RepeatConfiguration(responses: .all) }),
    SimulatedArm(
      name: "h3-hedge", label: "HTTP/3, repeats and hedges", notes: ["hedges after 5 ms"],
      configure: { $0.repeats = RepeatConfiguration(responses: .all, hedge: .milliseconds(5)) }),
    SimulatedArm(
      name: "h3-hedge-always", label: "HTTP/3, hedged from the beginning",
      notes: ["hedges after 5 ms, also before anything is lost"],
      configure: {
        $0.repeats = RepeatConfiguration(responses: .all, hedge: .milliseconds(5), isAdaptive: false)
      }),
    SimulatedArm(
      name: "h3-hedge-bbr", label: "HTTP/3, repeats and hedges, BBR", notes: ["hedges after 5 ms"],
      configure: {
        $0.repeats = RepeatConfiguration(responses: .all, hedge: .milliseconds(5))
        $0.congestionControl = .bbr
      }),
    SimulatedArm(name: "h3-reno", label: "HTTP/3, Reno", configure: { $0.congestionControl = .reno }),
    SimulatedArm(name: "h3-bbr", label: "HTTP/3, BBR", configure: { $0.congestionControl = .bbr }),
    SimulatedArm(
      name: "h3-rtt-333", label: "HTTP/3, first guess 333 ms", notes: ["initial RTT of RFC 9002 § 6.2.2, not 100 ms"],
      configure: { $0.initialRoundTrip = .milliseconds(333) }),
  ]
}
