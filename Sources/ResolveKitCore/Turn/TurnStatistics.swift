/// What the machine had to put right.
package struct TurnStatistics: Equatable, Sendable {
  package internal(set) var duplicatesDropped = 0
  package internal(set) var textsHealed = 0
  package internal(set) var poisonEvents = 0
  package internal(set) var gaps = 0
  package internal(set) var streamsOpened = 0

  package init() {}
}
