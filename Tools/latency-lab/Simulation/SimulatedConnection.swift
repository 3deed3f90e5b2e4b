import HTTP3Engine

/// One connection of a simulated client, on a socket of its own.
struct SimulatedConnection {
  let engine: HTTP3Connection
  let socket: NetworkAddress

  init(
    socket index: Int, _ configuration: ClientConfiguration, random: RandomSource, at now: Int64
  ) throws(HTTP3Error) {
    socket = VirtualNetwork.socket(index)
    engine = try HTTP3Connection.client(
      configuration, path: NetworkPath(local: socket, remote: VirtualNetwork.server), at: Timestamp(now),
      random: random)
  }

  static func fields(_ method: String, _ path: String) -> [HeaderField] {
    [
      HeaderField(":method", method), HeaderField(":scheme", "https"),
      HeaderField(":authority", SimulationCertificate.host), HeaderField(":path", path),
    ]
  }
}

extension Timestamp {
  init(_ nanoseconds: Int64) {
    self.init(nanoseconds: UInt64(max(0, nanoseconds)))
  }

  var signed: Int64 { Int64(clamping: nanoseconds) }
}

/// SplitMix64: the source of all that is random in a simulation's ends; the link has its own.
struct SimulationGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }
}
