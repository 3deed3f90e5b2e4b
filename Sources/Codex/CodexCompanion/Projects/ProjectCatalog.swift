import StreamTransport

/// The projects of this machine: those that codex lists, without those that their owner has hidden.
package actor ProjectCatalog {
  /// The most projects that are known at one time.
  package static let maximumProjects = 1_000

  private var list = ProjectList(limit: maximumProjects)
  private var hidden: HiddenFolders

  /// - Parameter file: Where it is kept which projects are hidden. Throws ``ProjectError`` where that cannot be read.
  package init(file: String) throws(ProjectError) { hidden = try HiddenFolders(file: file) }

  /// Takes what a page of codex's `thread/list` says about a thread.
  package func note(folder: String, updatedAt: Int) { list.note(folder: folder, updatedAt: updatedAt) }

  /// The projects that a device may see, the latest first.
  package var visible: [Project] { list.all.filter { !hidden.contains($0.folder) } }

  /// The projects for their owner, the latest first, then the other hidden folders.
  package var all: [ControlProject] {
    let known = list.all
    let others = hidden.paths.subtracting(known.map(\.folder)).sorted()
    return known.map { project in
      ControlProject(
        folder: project.folder, updatedAt: project.updatedAt > 0 ? project.updatedAt * 1_000 : nil,
        isHidden: hidden.contains(project.folder))
    } + others.map { ControlProject(folder: $0, updatedAt: nil, isHidden: true) }
  }

  /// Whether a device may see what belongs to a folder: a chat, an approval.
  package func shows(folder: String) -> Bool {
    guard let project = list.project(Project.id(of: folder)) else { return false }
    return project.folder.utf8.elementsEqual(folder.utf8) && !hidden.contains(folder)
  }

  /// Whether a folder is kept from devices.
  func hides(folder: String) -> Bool { hidden.contains(folder) }

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

  /// Hides a folder from devices, with all that is in it, or shows it again. Throws ``ProjectError``.
  package func set(_ folder: String, isHidden: Bool) throws(ProjectError) {
    guard Project(folder: folder, updatedAt: 0) != nil else {
      throw ProjectError(.notFound, "A project is named by the absolute path of its folder.")
    }
    if !isHidden, !hidden.paths.contains(folder) {
      guard hidden.contains(folder) else { throw ProjectError(.notFound, "'\(folder)' is not hidden.") }
      throw ProjectError(
        .notFound, "'\(folder)' is hidden with a folder above it, or under another path; show that one.")
    }
    try hidden.set(folder, isHidden: isHidden)
  }
}
