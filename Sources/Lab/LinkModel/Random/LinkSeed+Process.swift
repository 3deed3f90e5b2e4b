extension LinkSeed {
  /// The processes that draw random numbers. The raw values are part of a seed's meaning: add, never change.
  enum Process: UInt64, Sendable {
    case loss = 1
    case weatherStates = 2
    case weatherLoss = 3
    case delayStepOffsets = 4
    case delayStepLoss = 5
    case corruption = 6
    case duplication = 7
    case jitter = 8
    case early = 9
    case rebinding = 10
    case timedLoss = 11
    case tokenLoss = 12
  }

  /// The seed of one process. The weather and the delay steps leave the direction out: a radio that is bad is bad both
  /// ways.
  func value(for process: Process, _ direction: LinkDirection? = nil) -> UInt64 {
    let side: UInt64 =
      switch direction {
      case nil: 0
      case .toClient: 1
      case .toServer: 2
      }
    var mixed = LinkGenerator.mixed(scenario)
    mixed = LinkGenerator.mixed(mixed ^ repetition)
    return LinkGenerator.mixed(mixed ^ (process.rawValue << 8 | side))
  }

  func generator(for process: Process, _ direction: LinkDirection? = nil) -> LinkGenerator {
    LinkGenerator(seed: value(for: process, direction))
  }

  /// The seed of a scenario known by its name.
  package init(scenarioNamed name: String, repetition: UInt64) {
    self.init(scenario: Self.hash(of: name), repetition: repetition)
  }

  /// FNV-1a of a name's UTF-8, 64 bits: the hashes of the standard library differ from process to process.
  static func hash(of name: String) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
    return hash
  }
}
