/// The scenarios that the program brings along.
enum Presets {
  static let all: [Scenario] =
    quiet + lossy + bursty + lawful + wireless + longDistance + queueing + interoperation + faults + turns

  static func named(_ name: String) -> Scenario? {
    all.first { $0.name == name }
  }

  /// The lab's own numbers are named as such.
  static let ours = "This lab's own choice"
}
