import Foundation

/// Writes the registry of the functions that a module's sources mark with `@ResolveKit`.
@main
enum ResolveKitCodegen {
  static func main() {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      say("resolvekit-codegen: error: \(error)\n" + (error.code == .usage ? Invocation.usage : ""))
      exit(error.status)
    }
  }

  private static func run(_ arguments: [String]) throws(CodegenError) {
    let paths: [String]
    let output: String
    switch try Invocation(arguments: arguments) {
    case .help:
      try? FileHandle.standardOutput.write(contentsOf: Data(Invocation.usage.utf8))
      return
    case .folder(let folder, let file):
      paths = try SourceFile.paths(in: folder, excluding: file)
      output = file
    case .files(let files, let file):
      paths = files
      output = file
    }
    let scan = try Scan(paths: paths)
    for warning in scan.warnings { say(warning + "\n") }
    try RegistryFile(path: output).write(Registry(scan.functions).text)
  }

  private static func say(_ text: String) {
    // Without standard error the failure cannot be reported.
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
