import ResolveKitCore
import ToolSupport

extension JSONLine {
  init(kind: String) {
    self.init()
    add("kind", .string(kind))
  }

  /// Adds a value in a form that steers no terminal.
  mutating func add(_ name: String, _ value: JSONValue) {
    add(name, json: value.visibleText)
  }
}
