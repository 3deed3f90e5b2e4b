import ArgumentParser
import Foundation
import Processes
import ToolSupport

/// A program that the benchmark runs.
final class ChildProcess {
  struct Outcome {
    var status: Int32
    var output: String
    var errors: String
    /// From the start to the end, in seconds.
    var wall: Double
    var used: ResourceUsage
  }

  let identifier: Int32
  private let output: FileHandle
  private let errors: UnsafeMutablePointer<FILE>
  /// Closed with this process, however it ends; see ``ParentWatch``.
  private let life: FileHandle
  private var isOver = false

  private init(_ command: [String], environment: [String: String]) throws {
    var (pipes, lives): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard pipe(&pipes) == 0, pipe(&lives) == 0, let errors = tmpfile() else {
      throw ValidationError("No descriptor is left for \(command[0]).")
    }
    output = FileHandle(fileDescriptor: pipes[0], closeOnDealloc: true)
    life = FileHandle(fileDescriptor: lives[1], closeOnDealloc: true)
    self.errors = errors
    defer { for descriptor in [pipes[1], lives[0]] { close(descriptor) } }
    var program = ChildProgram(command[0], Array(command.dropFirst()))
    program.environment.merge(environment) { $1 }
    program.environment[ParentWatch.variable] = "1"
    program.input = .descriptor(lives[0])
    program.output = .descriptor(pipes[1])
    program.error = .descriptor(fileno(errors))
    do {
      identifier = try program.start()
    } catch {
      fclose(errors)
      throw ValidationError("\(error)")
    }
  }

  deinit { fclose(errors) }

  /// Runs a command to its end.
  static func run(_ command: [String], environment: [String: String] = [:]) throws -> Outcome {
    let clock = ContinuousClock()
    let start = clock.now
    let child = try ChildProcess(command, environment: environment)
    let output = child.output.readDataToEndOfFile()
    guard let end = child.wait() else { throw ValidationError("The end of \(command[0]) was missed.") }
    return Outcome(
      status: end.status, output: String(decoding: output, as: UTF8.self), errors: child.errorText,
      wall: (clock.now - start) / .seconds(1), used: end.usage)
  }

  /// Runs a client that prints its own measurements as one JSON object, its names in snake case.
  static func measure<Answer: Decodable>(_ command: [String], as type: Answer.Type) throws -> Answer {
    let outcome = try run(command)
    guard outcome.status == 0, let answer = try? decode(type, lastOf: outcome.output) else {
      throw ValidationError(
        "\(command.prefix(3).joined(separator: " ")) failed (\(outcome.status)): \(outcome.errors.suffix(600))")
    }
    return answer
  }

  /// Prints a program's measurements for ``measure(_:as:)``.
  static func report(_ values: some Encodable) throws {
    StandardOutput.write(try JSONLine.text(of: values, keys: .convertToSnakeCase))
  }

  /// Reads the last line of a program's output.
  static func decode<Answer: Decodable>(_ type: Answer.Type, lastOf output: String) throws -> Answer {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(type, from: Data((output.split(separator: "\n").last ?? "").utf8))
  }

  /// Starts a server; it runs until ``end()``.
  static func start(_ command: [String], environment: [String: String] = [:]) throws -> ChildProcess {
    try ChildProcess(command, environment: environment)
  }

  /// The first line that it prints.
  func firstLine() -> String {
    var line = Data()
    while let byte = try? output.read(upToCount: 1), !byte.isEmpty, byte.first != 0x0A { line += byte }
    return String(decoding: line, as: UTF8.self)
  }

  /// - Parameter signal: what ends it; gtlsserver takes none that a program may ignore.
  func end(by signal: Int32 = SIGKILL) {
    guard !isOver else { return }
    kill(identifier, signal)
    _ = wait()
  }

  private func wait() -> ChildEnd? {
    isOver = true
    return ChildEnd(of: identifier, waits: true)
  }

  private var errorText: String {
    rewind(errors)
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    let count = fread(&bytes, 1, bytes.count, errors)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
