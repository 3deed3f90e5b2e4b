import StreamTransport

/// The projects of this machine: those that codex tells of, without those that their owner has hidden.
package actor ProjectCatalog {
  /// The most projects that are known at once.
  package static let maximumProjects = 1_000

  private var list = ProjectList(limit: maximumProjects)
  private var hidden: HiddenFolders

  /// - Parameter file: Where it is kept which projects are hidden. Throws ``ProjectError`` where that cannot be read.
  package init(file: String) throws(ProjectError) { hidden = try HiddenFolders(file: file) }

  /// Takes what a page of codex's `thread/list` says about a thread.
  package func note(folder: String, updatedAt: Int) { list.note(folder: folder, updatedAt: updatedAt) }

  /// What a device is shown, the latest first.
  package var visible: [Project] { list.all.filter { !hidden.contains($0.folder) } }

  /// What the owner is shown, the latest first, and which of them are hidden.
  package var all: [(project: Project, isHidden: Bool)] { list.all.map { ($0, hidden.contains($0.folder)) } }

  /// Whether a device may see what belongs to a folder: a chat, an approval.
  package func shows(folder: String) -> Bool {
    guard let project = list.project(Project.id(of: folder)) else { return false }
    return project.folder.utf8.elementsEqual(folder.utf8) && !hidden.contains(folder)
  }

  /// A project that a device may work in, whose folder is there. Throws ``ProjectError``.
  package func project(_ id: String) throws(ProjectError) -> Project {
    guard let project = list.project(id), !hidden.contains(project.folder) else {
      throw ProjectError(.notFound, "Project not found")
    }
    guard PrivateFile.isDirectory(project.folder) else {
      throw ProjectError(.folderGone, "The project's folder is gone: '\(project.folder)' is no folder any more.")
    }
    return project
  }

  /// Hides a project from devices, with all that is in its folder, or shows it again. Throws ``ProjectError``.
  package func set(_ id: String, isHidden: Bool) throws(ProjectError) {
    // One that codex tells of no more can still be shown again.
    let kept = hidden.paths.first { Project.id(of: $0) == id }
    guard let folder = list.project(id)?.folder ?? kept else { throw ProjectError(.notFound, "Project not found") }
    try hidden.set(folder, isHidden: isHidden)
  }
}
