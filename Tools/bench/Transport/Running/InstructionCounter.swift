import Foundation

/// Counts a program's instructions and calls with valgrind, the same on every machine whatever else runs there.
struct InstructionCounter {
  /// The program's output.
  let output: String
  private(set) var instructions = 0.0
  private var calls: [Substring: Double] = [:]

  static func isAvailable(_ programs: Programs) -> Bool {
    programs.has("counting instructions (valgrind, which Debian's package of that name has)", [valgrind, "--version"])
  }

  private static let valgrind = "/usr/bin/valgrind"

  /// This program without what valgrind's version cannot read of a Swift compiler's debugging information.
  static func stripped(_ command: [String], _ programs: Programs) -> [String] {
    guard let path = command.first, path == programs.ours.first else { return command }
    let copy = programs.folder.path + "/stripped"
    if !FileManager.default.fileExists(atPath: copy) {
      _ = try? ChildProcess.run(["/usr/bin/strip", "--strip-debug", "-o", copy, path])
    }
    return [copy] + command.dropFirst()
  }

  /// Nil when the program failed.
  static func count(_ command: [String], _ programs: Programs) -> InstructionCounter? {
    let (tool, file) = tool(programs)
    // The scripts start what they run by this, so that the shell itself is not counted.
    let isScript = command.first == programs.clients
    let outcome = try? ChildProcess.run(
      isScript ? command : tool + stripped(command, programs),
      environment: isScript ? ["BENCH_WRAPPER": tool.joined(separator: " ")] : [:])
    guard let outcome, outcome.status == 0, let profile = try? String(contentsOfFile: file, encoding: .utf8) else {
      return nil
    }
    return InstructionCounter(profile, output: outcome.output)
  }

  /// The instructions of a server, which `body` starts by the tool that it is given, and ends; nil when that fails.
  static func count(_ programs: Programs, _ body: ([String]) throws -> Void) -> Double? {
    let (tool, file) = tool(programs)
    guard (try? body(tool)) != nil, let profile = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
    return InstructionCounter(profile, output: "").instructions
  }

  /// The command that others are run by, and the file that it writes.
  private static func tool(_ programs: Programs) -> (command: [String], file: String) {
    let file = programs.folder.path + "/calls"
    return ([valgrind, "--tool=callgrind", "--callgrind-out-file=\(file)"], file)
  }

  /// From callgrind's profile: `cfn=(id) name` is the callee of the `calls=N` line that follows, its name given only once.
  private init(_ profile: String, output: String) {
    self.output = output
    var names: [Substring: Substring] = [:]
    var callee: Substring = ""
    for line in profile.split(separator: "\n") {
      if line.hasPrefix("fn=") || line.hasPrefix("cfn=") {
        let parts = line.drop { $0 != "=" }.dropFirst().split(separator: " ", maxSplits: 1)
        if parts.count == 2 { names[parts[0]] = parts[1] }
        if line.hasPrefix("cfn=") { callee = names[parts[0]] ?? "" }
      } else if line.hasPrefix("calls="), let count = Double(line.dropFirst(6).prefix { $0 != " " }) {
        calls[callee, default: 0] += count
      } else if line.hasPrefix("totals:"), let total = Double(line.split(separator: " ").last ?? "") {
        instructions = total
      }
    }
  }

  /// The number of calls of a function, by its name in the runtime's C.
  func calls(of name: String) -> Double {
    calls.reduce(0) { $0 + ($1.key == name || $1.key.hasPrefix(name + "(") ? $1.value : 0) }
  }
}
