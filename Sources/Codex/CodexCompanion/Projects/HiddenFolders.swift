import Glibc
import ResolveKitCore
import StreamTransport

/// The folders that devices are not shown and may not work in, kept in a file for its owner alone.
///
/// A folder is hidden with all that is in it, under whatever path it is reached.
struct HiddenFolders: Sendable {
  static let maximumCount = 10_000
  static let maximumBytes = 64 << 20

  private let file: String
  /// As they were named.
  private(set) var paths: Set<String> = []
  /// As they were named, and without links.
  private var all: Set<String> = []

  /// Reads the file; a missing one hides nothing. Throws ``ProjectError`` where it cannot be read, since what it hides
  /// would then be shown.
  init(file: String) throws(ProjectError) {
    self.file = file
    let bytes: [UInt8]
    do throws(PrivateFile.Failure) {
      bytes = try PrivateFile.read(file, limit: Self.maximumBytes)
    } catch {
      guard error.number != ENOENT else { return }
      throw ProjectError(.storage, "The list of hidden projects cannot be read: \(error).", cause: error)
    }
    guard let members = (try? JSONValue(parsing: bytes))?.objectValue, members["version"] == 1,
      let paths = members["hidden"]?.arrayValue, paths.count <= Self.maximumCount,
      paths.allSatisfy({ $0.stringValue?.hasPrefix("/") == true })
    else {
      throw ProjectError(
        .storage, "'\(file)' is no list of hidden projects of version 1; repair it, or remove it to hide nothing.")
    }
    take(Set(paths.compactMap(\.stringValue)))
  }

  /// Hides a folder, or shows it again. Throws ``ProjectError`` where that cannot be kept; then nothing is changed.
  mutating func set(_ folder: String, isHidden: Bool) throws(ProjectError) {
    var paths = paths
    if isHidden { paths.insert(folder) } else { paths.remove(folder) }
    guard paths != self.paths else { return }
    guard paths.count <= Self.maximumCount else {
      throw ProjectError(.storage, "At most \(Self.maximumCount) projects can be hidden; show others again first.")
    }
    let json: JSONValue = ["version": 1, "hidden": .array(paths.sorted().map { .string($0) })]
    do {
      try PrivateFile.write(json.serialized() + [0x0A], to: file)
    } catch {
      throw ProjectError(.storage, "The list of hidden projects cannot be written: \(error).", cause: error)
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
