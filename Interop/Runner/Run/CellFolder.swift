import Foundation

/// The files of one run. What the run serves and loads down is in `scratch` and goes with its end.
struct CellFolder: Sendable {
  /// Larger logs are cut in the middle.
  static let mostLogBytes = 16 << 20
  /// Of one run; what is more is removed.
  static let mostFiles = 600
  /// Captures of successes that are larger are not kept, unless all are to be.
  static let mostCaptureBytes = 4 << 20

  var path: String
  var scratch: String

  var www: String { scratch + "/www" }
  var downloads: String { scratch + "/downloads" }
  var hosts: String { scratch + "/hosts" }
  func root(_ role: Role) -> String { scratch + "/root-" + role.rawValue }
  /// /logs of a side.
  func logs(_ role: Role) -> String { path + "/" + role.rawValue }
  /// The file of a side's output.
  func output(_ role: Role) -> String { logs(role) + "/output.txt" }
  func keyLog(_ role: Role) -> String { logs(role) + "/keys.log" }
  var captures: String { path }
  func capture(_ role: Role) -> String { path + "/\(role.rawValue).pcapng" }
  var mergedKeys: String { path + "/keys.log" }

  func make() throws {
    let manager = FileManager.default
    try? manager.removeItem(atPath: path)
    for folder in [www, downloads, root(.client), root(.server), logs(.client), logs(.server)] {
      try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    for role in Role.allCases {
      try manager.createDirectory(atPath: logs(role) + "/qlog", withIntermediateDirectories: true)
    }
  }

  /// The end of what a side printed, on one line.
  func lastWords(_ role: Role) -> String {
    guard let handle = FileHandle(forReadingAtPath: output(role)) else { return "" }
    defer { try? handle.close() }
    let end = (try? handle.seekToEnd()) ?? 0
    try? handle.seek(toOffset: end > 4_096 ? end - 4_096 : 0)
    let text = String(decoding: ((try? handle.readToEnd()) ?? nil) ?? Data(), as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline).suffix(3).map { $0.filter { $0.isASCII && $0 >= " " } }
    return lines.isEmpty ? "" : " It said: " + String(lines.joined(separator: " / ").suffix(500))
  }

  /// Bounds what is kept.
  func tidy(keepsCaptures: Bool) {
    let manager = FileManager.default
    try? manager.removeItem(atPath: scratch)
    var names = ((try? manager.subpathsOfDirectory(atPath: path)) ?? []).sorted()
    names.removeAll { name in
      var isFolder: ObjCBool = false
      return manager.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder) && isFolder.boolValue
    }
    for (index, name) in names.enumerated() {
      let file = "\(path)/\(name)"
      let size = (try? manager.attributesOfItem(atPath: file)[.size] as? Int) ?? 0
      if name.hasSuffix(".pcapng") {
        if !keepsCaptures, size > Self.mostCaptureBytes { try? manager.removeItem(atPath: file) }
      } else if index >= Self.mostFiles || size == 0 {
        try? manager.removeItem(atPath: file)
      } else if size > Self.mostLogBytes {
        Self.cutMiddle(file, size: size)
      }
    }
  }

  private static func cutMiddle(_ file: String, size: Int) {
    guard let handle = FileHandle(forUpdatingAtPath: file) else { return }
    defer { try? handle.close() }
    // Room for the line between, so that a file is not cut twice.
    let half = mostLogBytes / 2 - 64
    let head = ((try? handle.read(upToCount: half)) ?? nil) ?? Data()
    try? handle.seek(toOffset: UInt64(size - half))
    let tail = ((try? handle.read(upToCount: half)) ?? nil) ?? Data()
    try? handle.truncate(atOffset: 0)
    try? handle.seek(toOffset: 0)
    try? handle.write(contentsOf: head + Data("\n[\(size - 2 * half) bytes are left out here]\n".utf8) + tail)
  }
}
