/// The projects in codex's list of threads.
struct ProjectList: Sendable {
  private let limit: Int
  /// The projects by their ids. Of two folders with one id the first counts: the other cannot be distinguished from it.
  private var projects: [String: Project] = [:]

  /// - Parameter limit: The most projects; the ones that rested longest go first.
  init(limit: Int) { self.limit = limit }

  /// Takes what a page of the list says about a thread; what is no absolute path is passed over.
  mutating func note(folder: String, updatedAt: Int) {
    guard let project = Project(folder: folder, updatedAt: updatedAt) else { return }
    if var known = projects[project.id] {
      guard known.folder.utf8.elementsEqual(folder.utf8) else { return }
      known.updatedAt = max(known.updatedAt, updatedAt)
      projects[project.id] = known
      return
    }
    projects[project.id] = project
    if projects.count > limit, let oldest = projects.values.min(by: Self.isOlder) { projects[oldest.id] = nil }
  }

  func project(_ id: String) -> Project? { projects[id] }

  /// The latest first.
  var all: [Project] { projects.values.sorted { Self.isOlder($1, $0) } }

  private static func isOlder(_ left: Project, _ right: Project) -> Bool {
    (left.updatedAt, right.folder) < (right.updatedAt, left.folder)
  }
}
