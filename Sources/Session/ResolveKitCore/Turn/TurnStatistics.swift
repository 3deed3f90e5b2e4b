/// Counts of the irregularities that the machine put right.
package struct TurnStatistics: Equatable, Sendable {
  package internal(set) var duplicatesDropped = 0
  package internal(set) var textsHealed = 0
  package internal(set) var poisonEvents = 0
  package internal(set) var gaps = 0
  package internal(set) var streamsOpened = 0

  package init() {}

  mutating func count(_ note: TurnNote) {
    switch note {
    case .duplicateEvent: duplicatesDropped += 1
    case .textHealed: textsHealed += 1
    case .poisonEvent: poisonEvents += 1
    case .gap: gaps += 1
    case .unknownEventType, .idMismatch, .staleStream, .foreignCall, .repeatedCall, .unanswerableCall, .lateOutcome,
      .refusedDecision, .retrying, .ignored:
      break
    }
  }
}
