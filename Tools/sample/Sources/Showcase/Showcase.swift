import Observation

/// The app's state, which tools change and the screen shows.
@MainActor
@Observable
final class Showcase {
  static let shared = Showcase()

  private(set) var state = ShowcaseState()

  /// Changes the state and returns it as it is then.
  func update(_ change: (inout ShowcaseState) -> Void) -> ShowcaseState {
    change(&state)
    return state
  }
}
