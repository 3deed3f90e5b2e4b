package import ResolveKitCore

/// A client's view of a project's repository: `git` of `GET /v1/projects/{id}/context`.
package struct GitContext: Hashable, Sendable {
  /// The most paths that are listed; the counts have all.
  package static let maximumPaths = 1_000

  /// A folder that is in no working tree.
  package static let notRepository = GitContext(isRepository: false)

  package var isRepository: Bool
  /// The current branch; `HEAD` where none is checked out, nil outside of repositories.
  package var branch: String?
  package private(set) var changedFiles = 0
  package private(set) var stagedFiles = 0
  package private(set) var unstagedFiles = 0
  package private(set) var untrackedFiles = 0
  package private(set) var changedPaths: [GitChangedPath] = []

  package init(isRepository: Bool, branch: String? = nil, changes: [GitChangedPath] = []) {
    self.isRepository = isRepository
    self.branch = branch
    for change in changes { add(change) }
  }

  /// Counts a path, and lists it if there is room.
  mutating func add(_ change: GitChangedPath) {
    changedFiles += 1
    if change.isStaged { stagedFiles += 1 }
    if change.isUnstaged { unstagedFiles += 1 }
    if change.isUntracked { untrackedFiles += 1 }
    if changedPaths.count < Self.maximumPaths { changedPaths.append(change) }
  }

  package var json: JSONValue {
    [
      "isRepository": .bool(isRepository), "branch": branch.map { .string($0) } ?? .null,
      "changedFiles": .number(Double(changedFiles)), "stagedFiles": .number(Double(stagedFiles)),
      "unstagedFiles": .number(Double(unstagedFiles)), "untrackedFiles": .number(Double(untrackedFiles)),
      "changedPaths": .array(changedPaths.map(\.json)),
    ]
  }
}
