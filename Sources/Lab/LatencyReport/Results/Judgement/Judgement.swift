/// A statement about two arms in one metric; each case carries the numbers that may be printed with it, and no other.
package enum Judgement: Hashable, Sendable {
  case armBetter(JudgedDifference)
  case baselineBetter(JudgedDifference)
  /// Whatever the difference is, it is smaller than the bound that was declared before.
  case equivalent(Equivalence)
  /// Neither a difference nor its absence is shown.
  case undecided(Undecided)
  /// There is a difference, and it is smaller than what the link itself may add.
  case belowNoiseFloor
  /// The smallest and the largest difference of pairs that are too few to judge.
  case tooFew(range: Interval)

  package enum Finding: String, Codable, CaseIterable, Hashable, Sendable {
    case armBetter, baselineBetter, equivalent, undecided, belowNoiseFloor, tooFew
  }

  package var finding: Finding {
    switch self {
    case .armBetter: .armBetter
    case .baselineBetter: .baselineBetter
    case .equivalent: .equivalent
    case .undecided: .undecided
    case .belowNoiseFloor: .belowNoiseFloor
    case .tooFew: .tooFew
    }
  }

  /// The 95 % interval of the median difference, where one may be shown.
  package var interval: Interval? {
    switch self {
    case .armBetter(let difference), .baselineBetter(let difference): difference.interval
    case .equivalent(let equivalence): equivalence.interval
    case .undecided(let undecided): undecided.interval
    case .belowNoiseFloor, .tooFew: nil
    }
  }

  /// The difference, where one was found.
  package var difference: JudgedDifference? {
    switch self {
    case .armBetter(let difference), .baselineBetter(let difference): difference
    case .equivalent, .undecided, .belowNoiseFloor, .tooFew: nil
    }
  }
}
