package import ResolveKitCore

/// A path that differs from the last commit.
package struct GitChangedPath: Hashable, Sendable {
  /// From the project's folder on.
  package var path: String
  /// The letter of `git status` for the index; a space for no change, `?` for what git does not track.
  package var indexStatus: String
  /// The same for the working tree.
  package var workingTreeStatus: String

  package init(path: String, indexStatus: String, workingTreeStatus: String) {
    self.path = path
    self.indexStatus = indexStatus
    self.workingTreeStatus = workingTreeStatus
  }

  var isUntracked: Bool { indexStatus == "?" }
  var isStaged: Bool { !isUntracked && indexStatus != " " }
  var isUnstaged: Bool { !isUntracked && workingTreeStatus != " " }

  package var json: JSONValue {
    [
      "path": .string(path), "indexStatus": .string(indexStatus), "workingTreeStatus": .string(workingTreeStatus),
    ]
  }
}
