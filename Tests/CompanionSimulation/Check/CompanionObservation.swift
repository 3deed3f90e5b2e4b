/// A fact about the simulated world, as one who looks at wires, disks and screens would note it.
package enum CompanionObservation: Equatable, Sendable {
  // MARK: Codex
  /// - Parameter number: of its request, which another question has again when codex was started anew.
  case asked(QuestionKey, scope: String, number: Int)
  /// A companion has joined the thread, and is asked what waits.
  case askedAgain(QuestionKey)
  /// An answer arrives that codex waits for.
  case answerTaken(QuestionKey, accepts: Bool)
  /// An answer arrives that codex does not wait for.
  case answerIgnored(number: Int)
  case gaveUp(QuestionKey)
  case ran(QuestionKey)
  case codexEnded
  case turnBegan(Int)
  case turnEnded(Int)
  case linkCut

  // MARK: The companion
  case companionStarted
  case companionEnded
  case companionPaused(for: Int)
  /// It hears that codex waits for no answer any more.
  case heardResolved(QuestionKey)
  case audited(QuestionKey, isYes: Bool)
  /// The rules answer without a person.
  case ruled(QuestionKey, isYes: Bool)
  /// The decisions on the disk, by their scopes.
  case kept([String])
  case appended(sequence: Int64, name: String, approvals: [String])

  /// The chat's log says that a person is to decide.
  case personAsked(QuestionKey)

  /// The chat's log says that a turn begins, or is over.
  case turnReported(String, isOver: Bool)

  // MARK: Devices
  case decisionSent(device: Int, QuestionKey, answer: String)
  /// The companion has answered the decision.
  ///
  /// - Parameter code: "ok", or the error's.
  case decisionTaken(device: Int, QuestionKey, answer: String, code: String)
  /// The device has the answer.
  case decisionAnswered(device: Int, QuestionKey, answer: String, code: String)
  case applied(device: Int, sequence: Int64)
  case shown(device: Int, approvals: [String])

  /// The name of the fact, with what a campaign counts apart.
  var name: String {
    switch self {
    case .asked: "asked"
    case .askedAgain: "askedAgain"
    case .answerTaken(_, let accepts): accepts ? "answerTaken yes" : "answerTaken no"
    case .answerIgnored: "answerIgnored"
    case .gaveUp: "gaveUp"
    case .ran: "ran"
    case .codexEnded: "codexEnded"
    case .turnBegan: "turnBegan"
    case .turnEnded: "turnEnded"
    case .linkCut: "linkCut"
    case .companionStarted: "companionStarted"
    case .companionEnded: "companionEnded"
    case .companionPaused: "companionPaused"
    case .heardResolved: "heardResolved"
    case .audited: "audited"
    case .ruled(_, let isYes): isYes ? "ruled yes" : "ruled no"
    case .kept: "kept"
    case .appended(_, let name, _): "appended \(name)"
    case .personAsked: "personAsked"
    case .turnReported: "turnTold"
    case .decisionSent(_, _, let answer): "decisionSent \(answer)"
    case .decisionTaken(_, _, _, let code): "decisionTaken \(code)"
    case .decisionAnswered: "decisionAnswered"
    case .applied: "applied"
    case .shown: "shown"
    }
  }
}
