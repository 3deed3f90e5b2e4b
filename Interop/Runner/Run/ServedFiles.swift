import Foundation

/// The files of a run: made with random content, compared after it.
struct ServedFiles: Sendable {
  var names: [String]

  static func make(_ files: [CaseFile], in folder: String) throws -> ServedFiles {
    var generator = SystemRandomNumberGenerator()
    let names = CaseFile.names(for: files, using: &generator)
    guard let random = FileHandle(forReadingAtPath: "/dev/urandom") else {
      throw SelectionError("/dev/urandom can't be read.")
    }
    defer { try? random.close() }
    for (file, name) in zip(files, names) {
      let content = try random.read(upToCount: file.bytes) ?? Data()
      try content.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    return ServedFiles(names: names)
  }

  /// The faults of the downloads, a sentence each; none if all are there, are alike, and nothing else is.
  func problems(www: String, downloads: String) -> [String] {
    let manager = FileManager.default
    let there = Set((try? manager.contentsOfDirectory(atPath: downloads)) ?? [])
    let wanted = Set(names)
    let missing = wanted.subtracting(there).sorted()
    let unexpected = there.subtracting(wanted).sorted()
    var problems: [String] = []
    if !missing.isEmpty {
      problems.append("\(missing.count) of \(names.count) files are missing\(Self.some(missing)).")
    }
    if !unexpected.isEmpty {
      problems.append("\(unexpected.count) files came that were not asked for\(Self.some(unexpected)).")
    }
    for name in names where there.contains(name) {
      guard problems.count < 10 else { break }
      let sizes = [www, downloads].map { folder in
        (try? manager.attributesOfItem(atPath: "\(folder)/\(name)")[.size] as? Int) ?? -1
      }
      if sizes[0] != sizes[1] {
        problems.append("\(Self.short(name)) has \(sizes[1]) bytes and should have \(sizes[0]).")
      } else if !manager.contentsEqual(atPath: "\(www)/\(name)", andPath: "\(downloads)/\(name)") {
        problems.append("\(Self.short(name)) is not as it was served.")
      }
    }
    return problems
  }

  private static func some(_ names: [String]) -> String {
    ", as " + names.prefix(3).map(short).joined(separator: ", ")
  }

  private static func short(_ name: String) -> String { name.count > 24 ? name.prefix(20) + "…" : name }
}
