import Glibc
import ResolveKitCore

/// The folders that devices are not shown and may not work in, kept in a file for its owner alone.
///
/// A folder is hidden with all that is in it, under whatever path it is reached.
struct HiddenFolders: Sendable {
  static let maximumCount = 1_000

  private let file: StoreFile
  /// The folders as they were named.
  private(set) var paths: Set<String> = []
  /// The folders as they were named, and without links.
  private var all: Set<String> = []

  /// Takes the file for this process; a missing one hides nothing. Throws ``ProjectError`` where it cannot be read, since
  /// what it hides would then be shown.
  init(file path: String) throws(ProjectError) {
    do throws(StoreError) {
      file = try StoreFile(claiming: path, format: "codex-companion-hidden-projects")
      guard let members = try file.read() else { return }
      guard let paths = members["hidden"]?.arrayValue, paths.count <= Self.maximumCount,
        paths.allSatisfy({ $0.stringValue?.hasPrefix("/") == true })
      else { throw file.damaged("its paths are incomplete") }
      take(Set(paths.compactMap(\.stringValue)))
    } catch {
      throw ProjectError(.storage, error.message, cause: error)
    }
  }

  /// Hides a folder, or shows it again. Throws ``ProjectError`` where that cannot be kept; then nothing is changed.
  mutating func set(_ folder: String, isHidden: Bool) throws(ProjectError) {
    var paths = paths
    if isHidden { paths.insert(folder) } else { paths.remove(folder) }
    guard paths != self.paths else { return }
    guard paths.count <= Self.maximumCount else {
      throw ProjectError(.storage, "At most \(Self.maximumCount) folders can be hidden; show others again first.")
    }
    do {
      try file.write(["hidden": .array(paths.sorted().map { .string($0) })])
    } catch {
      throw ProjectError(.storage, error.message, cause: error)
    }
    take(paths)
  }

  /// Whether a folder is one of them, or within one.
  func contains(_ folder: String) -> Bool {
    guard !all.isEmpty else { return false }
    return Self.isWithin(folder, all) || Self.realPath(folder).map { Self.isWithin($0, all) } == true
  }

  private mutating func take(_ paths: Set<String>) {
    self.paths = paths
    all = paths.union(paths.compactMap(Self.realPath))
  }

  private static func isWithin(_ path: String, _ folders: Set<String>) -> Bool {
    if folders.contains("/") || folders.contains(path) { return true }
    // By bytes, as the system has it: to Swift, a slash with an accent behind it is another character.
    let bytes = path.utf8
    return bytes.indices.contains { index in
      bytes[index] == UInt8(ascii: "/") && folders.contains(String(decoding: bytes[..<index], as: UTF8.self))
    }
  }

  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
