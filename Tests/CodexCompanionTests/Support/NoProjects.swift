@testable import CodexCompanion

/// Projects that need no report.
struct NoProjects: ServedProjects {
  func refresh() async {}
  func changed() async {}
}
