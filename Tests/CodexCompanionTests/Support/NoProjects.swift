@testable import CodexCompanion

/// Projects of which nobody has to be told.
struct NoProjects: ServedProjects {
  func refresh() async {}
  func changed() async {}
}
