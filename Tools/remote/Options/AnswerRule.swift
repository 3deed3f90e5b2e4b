import ArgumentParser

/// The value of `--approve`: who answers questions.
enum AnswerRule: String, CaseIterable, ExpressibleByArgument {
  /// A person, here or elsewhere.
  case ask
  /// Nobody: each is allowed once.
  case all
  /// Nobody: each is declined.
  case none
}
