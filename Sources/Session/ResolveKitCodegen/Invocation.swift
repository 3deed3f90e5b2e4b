/// The parsed command line.
enum Invocation: Equatable {
  case help
  /// All Swift files in a folder and below.
  case folder(String, output: String)
  case files([String], output: String)

  static let usage = """
    Usage: resolvekit-codegen <input folder> <output file>
           resolvekit-codegen --output <output file> [--] [<source file> ...]

    Writes the enum ResolveKitAutoRegistry with all functions that the Swift sources mark with @ResolveKit. Conformances
    to AnyResolveKitFunction that are written by hand are not looked for: list them yourself.
    A registry that would not change is not touched. Exit status: 0 done, 1 failed, 2 usage.

    """

  /// - Parameter arguments: the command line without the program's name.
  init(arguments: [String]) throws(CodegenError) {
    var arguments = arguments[...]
    switch arguments.first {
    case "-h", "--help": self = .help
    case "--output":
      arguments = arguments.dropFirst()
      guard let output = arguments.popFirst(), !output.isEmpty else {
        throw CodegenError(.usage, "--output needs the name of the file to write.")
      }
      if arguments.first == "--" {
        arguments = arguments.dropFirst()
      } else if let option = arguments.first(where: { $0.hasPrefix("-") }) {
        throw CodegenError(.usage, "'\(option)' is not an option; write '--' before files whose names begin with '-'.")
      }
      guard !arguments.contains("") else { throw CodegenError(.usage, "The name of a source file is empty.") }
      self = .files(Array(arguments), output: output)
    case let option? where option.hasPrefix("-"): throw CodegenError(.usage, "'\(option)' is not an option.")
    case let folder?:
      guard arguments.count == 2, let output = arguments.last, !folder.isEmpty, !output.isEmpty else {
        throw CodegenError(.usage, "Give one input folder and one output file.")
      }
      self = .folder(folder, output: output)
    case nil: throw CodegenError(.usage, "Give an input folder and an output file.")
    }
  }
}
