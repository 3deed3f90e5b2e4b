extension Chat {
  /// The outcome of a message.
  struct Receipt: Equatable, Sendable {
    enum Mode: String, Sendable {
      case started
      case steered
    }

    let turnID: String
    let mode: Mode
  }
}
