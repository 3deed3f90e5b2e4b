/// The question that an editor's thread is at: questions are asked by any task, read by one thread in their order, and
/// given up from anywhere. The newest alone is wanted.
struct LineQuestions: Equatable {
  /// Counted from 1.
  private var newest = 0
  private var reading: Int?
  private var isNewestOver = true
  /// The outcome of the newest question before it was read.
  private var early: LineAnswer?

  /// Whether a question is on the screen.
  var isReading: Bool { reading != nil }

  /// A new question's number, and whether an older one has to leave the screen for it.
  mutating func ask() -> (number: Int, overtakes: Bool) {
    newest += 1
    isNewestOver = false
    early = nil
    return (newest, isReading)
  }

  /// The thread comes to a question: nil if it is to be read, else its outcome.
  mutating func begin(_ number: Int) -> LineAnswer? {
    guard number == newest else { return .overtaken }
    if let early {
      isNewestOver = true
      return early
    }
    reading = number
    return nil
  }

  /// The thread has its answer.
  mutating func end(_ number: Int) {
    reading = nil
    if number == newest { isNewestOver = true }
  }

  /// The newest question is not wanted any more; true if it is being read, so that its thread has to be woken.
  mutating func giveUp(_ answer: LineAnswer) -> Bool {
    guard !isNewestOver else { return false }
    if reading == newest { return true }
    early = answer
    return false
  }
}
