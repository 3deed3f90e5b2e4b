import Foundation

/// Turns a command into what execve takes: a path, and lists of strings without NUL bytes.
package struct CommandResolver {
  package var path: String
  /// The arguments, with the program's name in front.
  package var arguments: [String]
  package var environment: [String]

  package init(_ command: NamespacedCommand) throws(EmulatorError) {
    let variables = command.environment ?? ProcessInfo.processInfo.environment
    for (name, value) in variables where name.isEmpty || name.contains("=") || Self.hasZero(name + value) {
      throw EmulatorError(
        .invalidArgument, "The environment variable '\(name)' has an empty name or a '=' or a NUL byte; remove it.")
    }
    for text in [command.executable, command.directory ?? ""] + command.arguments where Self.hasZero(text) {
      throw EmulatorError(.invalidArgument, "A program's name, folder or argument holds a NUL byte; remove it.")
    }
    path = try Self.find(command.executable, in: variables["PATH"] ?? "/usr/local/bin:/usr/bin:/bin")
    arguments = [command.executable] + command.arguments
    environment = variables.map { "\($0)=\($1)" }.sorted()
  }

  private static func hasZero(_ text: String) -> Bool { text.utf8.contains(0) }

  private static func find(_ name: String, in path: String) throws(EmulatorError) -> String {
    guard !name.isEmpty else { throw EmulatorError(.invalidArgument, "No program was named to start.") }
    // A path is left to execve, which knows best what is wrong with it.
    if name.contains("/") { return name }
    for folder in path.split(separator: ":") {
      let candidate = folder + "/" + name
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder), !isFolder.boolValue,
        FileManager.default.isExecutableFile(atPath: candidate)
      else { continue }
      return candidate
    }
    throw EmulatorError(
      .notExecutable, "There is no program '\(name)' in PATH (\(path)); install it or give its whole path.")
  }
}
