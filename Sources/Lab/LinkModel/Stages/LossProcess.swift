/// Random and patterned loss of UDP and TCP packets.
struct LossProcess: Sendable {
  private enum Model: Sendable {
    case bernoulli(rate: Double, longestBurst: Int?)
    /// The chances of leaving the good and the bad state, tried once a packet; everything is lost in the bad one.
    case gilbert(leavesGood: Double, leavesBad: Double)
    case weather(goodRate: Double, badRate: Double)
    case byTime
    case perByte(rate: Double)
    case acknowledgements(rate: Double, maximumQUICBytes: Int)
    case byToken(rate: Double, seed: UInt64, maximumQUICBytes: Int)
    case pattern([Bool])
  }

  private let model: Model
  private var generator: LinkGenerator
  /// The states in time of weather and of loss by time; nil without either.
  private var weather: WeatherProcess?
  /// Gilbert's state before the next packet.
  private var isBad = false
  /// Drops in a row so far.
  private var burst = 0
  /// The next packet's position in the pattern.
  private var position = 0
  /// Whether a token that is to be lost was marked, and no packet with a payload has come since.
  private var losesNextToken = false

  init(_ loss: Loss, seed: LinkSeed, _ direction: LinkDirection) {
    generator = seed.generator(for: .loss, direction)
    switch loss {
    case .bernoulli(let rate, let longestBurst):
      model = .bernoulli(rate: rate, longestBurst: longestBurst)
    case .gilbert(let meanRate, let meanBurst):
      let chances = Self.gilbertChances(meanRate: meanRate, meanBurstPackets: meanBurst)
      model = .gilbert(leavesGood: chances.leavesGood, leavesBad: chances.leavesBad)
      isBad = generator.chance(meanRate)
    case .weather(let goodMean, let goodRate, let badMean, let badRate, _):
      model = .weather(goodRate: goodRate, badRate: badRate)
      generator = seed.generator(for: .weatherLoss, direction)
      weather = WeatherProcess(goodMeanMilliseconds: goodMean, badMeanMilliseconds: badMean, seed: seed)
    case .byTime(let meanRate, let meanBurst):
      model = .byTime
      if meanRate > 0 {
        weather = WeatherProcess(
          goodMeanMilliseconds: meanBurst * (1 - meanRate) / meanRate, badMeanMilliseconds: meanBurst,
          generator: seed.generator(for: .timedLoss, direction))
      }
    case .perByte(let rate):
      model = .perByte(rate: rate)
    case .acknowledgements(let rate, let maximumQUICBytes):
      model = .acknowledgements(rate: rate, maximumQUICBytes: maximumQUICBytes)
    case .byToken(let rate, let maximumQUICBytes):
      model = .byToken(
        rate: rate, seed: seed.value(for: .tokenLoss, direction), maximumQUICBytes: maximumQUICBytes)
    case .pattern(let pattern):
      model = .pattern(pattern)
    }
  }

  /// Whether tokens are marked for this loss.
  var isByToken: Bool { if case .byToken = model { true } else { false } }

  /// A token is about to be sent. Its fate depends on the seed and its name alone, whatever order tokens come in.
  mutating func tokenMarked(_ mark: TokenMark) {
    guard case .byToken(let rate, let seed, _) = model else { return }
    var generator = LinkGenerator(seed: LinkGenerator.mixed(seed ^ mark.value))
    if generator.chance(rate) { losesNextToken = true }
  }

  /// Gilbert's chances from what is measured. Bursts end with chance r a packet, so their mean is B = 1/r; the share of
  /// bad packets is L = p / (p + r), so p = r L / (1 − L) = L / (B (1 − L)).
  static func gilbertChances(meanRate: Double, meanBurstPackets: Double) -> (leavesGood: Double, leavesBad: Double) {
    (meanRate / (meanBurstPackets * (1 - meanRate)), 1 / meanBurstPackets)
  }

  /// The reason for which the next packet is lost, this long after the link's start (nil before it); nil if it
  /// passes.
  mutating func cause(
    of packet: LinkPacket, _ headers: PacketHeaders, at elapsed: Int64?
  ) -> PacketLogEntry.Cause? {
    switch model {
    case .bernoulli(let rate, let longestBurst):
      let isLost = generator.chance(rate) && burst < longestBurst ?? .max
      burst = isLost ? burst + 1 : 0
      return isLost ? .loss : nil
    case .gilbert(let leavesGood, let leavesBad):
      let isLost = isBad
      if generator.chance(isBad ? leavesBad : leavesGood) { isBad.toggle() }
      return isLost ? .loss : nil
    case .weather(let goodRate, let badRate):
      if let elapsed { weather?.advance(to: elapsed) }
      let isBad = elapsed != nil && weather?.isBad == true
      return generator.chance(isBad ? badRate : goodRate) ? .weather : nil
    case .byTime:
      guard let elapsed else { return nil }
      weather?.advance(to: elapsed)
      return weather?.isBad == true ? .loss : nil
    case .perByte(let rate):
      return generator.chance(Loss.chance(ofLosing: packet.size, byteRate: rate)) ? .loss : nil
    case .acknowledgements(let rate, let maximumQUICBytes):
      guard headers.isAcknowledgementAlone(packet, maximumQUICBytes: maximumQUICBytes) else { return nil }
      return generator.chance(rate) ? .loss : nil
    case .byToken(_, _, let maximumQUICBytes):
      guard losesNextToken, !headers.payload.isEmpty,
        !headers.isAcknowledgementAlone(packet, maximumQUICBytes: maximumQUICBytes)
      else { return nil }
      losesNextToken = false
      return .loss
    case .pattern(let pattern):
      guard !pattern.isEmpty else { return nil }
      let isLost = pattern[position]
      position = (position + 1) % pattern.count
      return isLost ? .loss : nil
    }
  }
}
