package import ResolveKitCore

/// A thread as every lane reports it.
package struct LaneThread: Equatable, Sendable {
  private static let maximumName = 120
  private static let maximumPreview = 500

  package let id: String
  package let folder: String
  private let name: String
  private let preview: String
  /// Seconds since 1970.
  private let updatedAt: Int

  /// - Parameter name: the beginning of the preview takes its place where it is empty.
  package init(id: String, folder: String, name: String, preview: String, updatedAt: Int) {
    self.id = id
    self.folder = folder
    let title = name.isEmpty ? preview : name
    self.name = title.isEmpty ? "New chat" : Self.cut(title, Self.maximumName)
    self.preview = Self.cut(preview, Self.maximumPreview)
    self.updatedAt = updatedAt
  }

  /// Nil for what is no thread of codex's.
  package init?(codex thread: JSONObject) {
    guard let id = thread["id"]?.stringValue, let folder = thread["cwd"]?.stringValue else { return nil }
    self.init(
      id: id, folder: folder, name: thread["name"]?.stringValue ?? "", preview: thread["preview"]?.stringValue ?? "",
      updatedAt: thread["updatedAt"]?.numberValue.flatMap { Int(exactly: $0.rounded()) } ?? 0)
  }

  var json: JSONValue {
    [
      "id": .string(id), "cwd": .string(folder), "name": .string(name), "preview": .string(preview),
      "updatedAt": .number(Double(updatedAt)),
    ]
  }

  /// Cuts by scalars: one character may have any number of them.
  private static func cut(_ text: String, _ count: Int) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(count)))
  }
}
