/// How long an endpoint is waited for.
///
/// One that sends comments alone, as many do while a model thinks, is not silent, and one that sends empty events makes
/// progress; neither may hold a turn for ever.
struct ModelPatience {
  /// The longest silence, before the answer or in the middle of it.
  static let silence = Duration.seconds(120)
  /// The longest time without an event.
  static let standstill = Duration.seconds(600)
  /// The longest time for a whole answer.
  static let answer = Duration.seconds(3_600)

  private let begin: Duration
  private var progress: Duration
  private var events = 0

  init(at now: Duration) {
    begin = now
    progress = now
  }

  /// So many events have come by now.
  mutating func came(events count: Int, at now: Duration) {
    if count > events { progress = now }
    events = count
  }

  /// The time to wait for more, and what to say of the endpoint once it is over.
  func rest(at now: Duration) -> (time: Duration, complaint: String) {
    let rests = [
      (Self.silence, "sent nothing for \(Self.silence.components.seconds) seconds"),
      (progress + Self.standstill - now, "sent no event for \(Self.standstill.components.seconds) seconds"),
      (begin + Self.answer - now, "did not finish its answer within \(Self.answer.components.seconds) seconds"),
    ]
    return rests.min { $0.0 < $1.0 } ?? rests[0]
  }
}
