/// The errors in a scenario: every invalid place, with the values that are valid there.
struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
  struct Problem: Hashable, Sendable, CustomStringConvertible {
    /// Keys and places joined by dots, as `link.toClient.outages.0.startMilliseconds`; empty for the whole document.
    var path: String
    /// One sentence: what was found and what is allowed.
    var message: String

    init(_ path: String, _ message: String) {
      self.path = path
      self.message = message
    }

    var description: String { path.isEmpty ? message : "\(path): \(message)" }
  }

  var problems: [Problem]

  init(_ problems: [Problem]) {
    self.problems = problems
  }

  init(_ path: String, _ message: String) {
    problems = [Problem(path, message)]
  }

  var description: String { problems.map(\.description).joined(separator: "\n") }
}
