/// The app's visible state.
struct ShowcaseState: Equatable, Codable, Sendable {
  static let mascotLimit = 60
  static let confettiLimit = 1_000_000

  var vibe = Vibe.chill
  var mascot = "Pip the Gecko"
  /// Bursts since the start.
  var confetti = 0
  var isLaserArmed = false

  var line: String {
    "vibe \(vibe.rawValue) (\(vibe.accent)) · mascot \(mascot) · confetti \(confetti) · laser "
      + (isLaserArmed ? "ARMED" : "off")
  }
}

/// The moods that the app knows.
enum Vibe: String, CaseIterable, Codable, Sendable {
  case chill
  case neon
  case chaos

  var accent: String {
    switch self {
    case .chill: "teal"
    case .neon: "magenta"
    case .chaos: "orange"
    }
  }
}
