import LinkEmulator

/// One client that takes part in an experiment, and the settings of TCP in its runs.
struct Arm: Hashable, Sendable {
  enum Program: Hashable, Sendable {
    /// Our own client process, with this value of `--arm`.
    case own(String)
    /// A program that others wrote, started by `clients/stream-client`.
    case foreign(String)
    /// The user's own client.
    case command(ClientCommandText)
  }

  enum Network: Hashable, Sendable { case udp, tcp, either }

  var name: String
  /// The protocol's common name: "HTTP/3".
  var label: String
  var program: Program
  var network: Network
  var congestionControl = "cubic"
  var tuning = TCPTuning()
  /// Whether our own server too has QUIC's first guess of the round trip.
  var hasStockServer = false
  /// Notes for the reader of its numbers.
  var notes: [String] = []

  var isControl: Bool {
    switch program {
    case .own: false
    case .foreign, .command: true
    }
  }

  /// The arms, in the order in which reports show them.
  static let all: [Arm] = [
    Arm(name: "h3", label: "HTTP/3", program: .own("h3"), network: .udp),
    Arm(
      name: "h3-stock", label: "HTTP/3, QUIC's defaults", program: .own("h3-stock"), network: .udp,
      hasStockServer: true, notes: ["first guess of the round trip 333 ms, acknowledgements held back for 25 ms"]),
    Arm(
      name: "h3-rtt-100", label: "HTTP/3, first guess 100 ms", program: .own("h3-rtt-100"), network: .udp,
      notes: ["acknowledgements held back for 25 ms"]),
    Arm(name: "h3-resumed", label: "HTTP/3, resumed", program: .own("h3-resumed"), network: .udp),
    Arm(name: "h3-0rtt", label: "HTTP/3, 0-RTT", program: .own("h3-0rtt"), network: .udp),
    Arm(name: "h3-repeat", label: "HTTP/3, repeats", program: .own("h3-repeat"), network: .udp),
    Arm(
      name: "h3-hedge", label: "HTTP/3, repeats and hedges", program: .own("h3-hedge"), network: .udp,
      notes: ["hedges after 5 ms"]),
    Arm(name: "h2", label: "HTTP/2", program: .own("h2"), network: .tcp),
    Arm(name: "h2-ping", label: "HTTP/2, PINGs", program: .own("h2-ping"), network: .tcp),
    Arm(name: "h1", label: "HTTP/1.1", program: .own("h1"), network: .tcp, notes: [oneConnectionAStream]),
    Arm(
      name: "auto", label: "HTTP/3 or 1.1, raced", program: .own("auto"), network: .either,
      notes: ["HTTP/3 first, HTTP/1.1 after a head start"]),
    Arm(name: "h2-bbr", label: "HTTP/2, TCP BBR", program: .own("h2"), network: .tcp, congestionControl: "bbr"),
    Arm(
      name: "h1-bbr", label: "HTTP/1.1, TCP BBR", program: .own("h1"), network: .tcp, congestionControl: "bbr",
      notes: [oneConnectionAStream]),
    Arm(name: "h2-rto", label: "HTTP/2, RTO 20 ms", program: .own("h2"), network: .tcp, tuning: shortRTO),
    Arm(
      name: "h1-rto", label: "HTTP/1.1, RTO 20 ms", program: .own("h1"), network: .tcp, tuning: shortRTO,
      notes: [oneConnectionAStream]),
    Arm(
      name: "h2-thin", label: "HTTP/2, thin stream", program: .own("h2"), network: .tcp,
      tuning: TCPTuning(hasLinearTimeouts: true)),
    Arm(
      name: "h2-lowat", label: "HTTP/2, low water", program: .own("h2"), network: .tcp,
      tuning: TCPTuning(unsentBytes: 16_384)),
    Arm(
      name: "h2-tuned", label: "HTTP/2, tuned TCP", program: .own("h2"), network: .tcp,
      tuning: TCPTuning(minimumRTOMilliseconds: 20, hasLinearTimeouts: true, unsentBytes: 16_384)),
    Arm(name: "curl-h3", label: "libcurl HTTP/3", program: .foreign("curl-h3"), network: .udp),
    Arm(name: "curl-h2", label: "libcurl HTTP/2", program: .foreign("curl-h2"), network: .tcp),
    Arm(
      name: "curl-h1", label: "libcurl HTTP/1.1", program: .foreign("curl-h1"), network: .tcp,
      notes: [oneConnectionAStream]),
    Arm(
      name: "quic-go-h3", label: "quic-go HTTP/3", program: .foreign("quic-go-h3"), network: .udp, notes: [relayed]),
    Arm(
      name: "chromium-h3", label: "Chromium HTTP/3", program: .foreign("chromium-h3"), network: .udp,
      notes: [page, relayed]),
    Arm(
      name: "chromium-h2", label: "Chromium HTTP/2", program: .foreign("chromium-h2"), network: .tcp,
      notes: [page, relayed]),
    Arm(name: "aioquic-h3", label: "aioquic HTTP/3", program: .foreign("aioquic-h3"), network: .udp, notes: [slow]),
    Arm(name: "python-h2", label: "Python HTTP/2", program: .foreign("python-h2"), network: .tcp, notes: [slow]),
  ]

  /// The arms of an experiment by default.
  static let defaultNames = ["h3", "h2", "h1"]

  /// The arms of a comma-separated list, in its order and each once.
  static func list(_ text: String) throws(LabError) -> [Arm] {
    var arms: [Arm] = []
    for name in text.split(separator: ",").map({ $0.filter { $0 != " " } }) {
      guard let arm = all.first(where: { $0.name == name }) else {
        throw LabError(
          .usage, "There is no arm '\(name)'; there are \(all.map(\.name).joined(separator: ", ")).")
      }
      if !arms.contains(arm) { arms.append(arm) }
    }
    guard !arms.isEmpty else { throw LabError(.usage, "--arms names no arm; give some as h3,h2,h1.") }
    return arms
  }

  /// The arms of foreign clients: `client`, `client-2`, and so on.
  static func commands(_ texts: [String]) throws(LabError) -> [Arm] {
    var arms: [Arm] = []
    for text in texts {
      let command = try ClientCommandText(text)
      arms.append(
        Arm(
          name: arms.isEmpty ? "client" : "client-\(arms.count + 1)", label: command.label, program: .command(command),
          network: .either,
          notes: ["one process a stream", "the lab reads its output, and the reader's processor time is in its own"]))
    }
    return arms
  }

  private static let shortRTO = TCPTuning(minimumRTOMilliseconds: 20)
  private static let oneConnectionAStream = "one connection a stream"
  private static let page = "arrivals are taken in a page's script, processor time in all of the browser's processes"
  private static let relayed =
    "requests go through the conductor's pipe, which the openings contain and arrivals do not; its processor time is in "
    + "the client's own"
  private static let slow = "a slow client: its own time is in its numbers"
}
