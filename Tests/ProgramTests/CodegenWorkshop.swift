import Foundation

/// A folder with sources, and a place for what a generator makes of them.
struct CodegenWorkshop {
  private let folder: URL
  var registry: URL { folder.appending(path: "made/ResolveKitAutoRegistry.swift") }
  var sources: URL { folder.appending(path: "sources") }

  /// - Parameter files: texts by their paths below ``sources``.
  init(_ files: [String: String]) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "agent-stream-codegen-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
    // No file, and nobody ever writes it.
    mkfifo(sources.appending(path: "pipe.swift").path, 0o600)
    for (name, text) in files { try write(Data(text.utf8), to: name) }
  }

  func write(_ data: Data, to name: String) throws {
    let url = sources.appending(path: name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
  }

  /// The registry that was made.
  func text() throws -> String { try String(contentsOf: registry, encoding: .utf8) }

  func remove() { try? FileManager.default.removeItem(at: folder) }
}
