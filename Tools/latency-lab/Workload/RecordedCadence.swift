/// Cadences as model servers really have them: synthetic, not captured from any service, and named after their shape.
enum RecordedCadence: String, CaseIterable, Sendable {
  /// Tokens in pairs, as servers that flush on a timer send them, a breath after each sentence and a longer one after
  /// each paragraph: 180 tokens in about 4.5 s.
  case sentencesWithPauses = "sentences-with-pauses"
  /// A fast start from speculative decoding, slower towards the end as the context grows: 120 tokens in about 3.4 s.
  case slowingDown = "slowing-down"

  /// Milliseconds from the start, sorted.
  var offsetsMilliseconds: [Double] {
    switch self {
    case .sentencesWithPauses: Self.sentences
    case .slowingDown: Self.slowing
    }
  }

  private static let sentences: [Double] = {
    var offsets: [Double] = []
    var now = 0.0
    for token in 0..<180 {
      offsets.append(now)
      let isPairOpen = token % 2 == 0
      now += isPairOpen ? 4 : 34
      // A sentence has 18 tokens and a paragraph five sentences.
      if token % 90 == 89 { now += 450 } else if token % 18 == 17 { now += 120 }
    }
    return offsets
  }()

  private static let slowing: [Double] = {
    var offsets: [Double] = []
    var now = 0.0
    for token in 0..<120 {
      offsets.append(now)
      // From 12 ms to 45 ms, with every fifth token coming at once with the one before it.
      now += token % 5 == 3 ? 1 : 12 + (33 * Double(token) / 119).rounded()
    }
    return offsets
  }()
}

extension Workload.Cadence {
  /// One of the cadences that the program has.
  static func recorded(_ cadence: RecordedCadence) -> Workload.Cadence {
    .recorded(offsetsMilliseconds: cadence.offsetsMilliseconds)
  }
}
