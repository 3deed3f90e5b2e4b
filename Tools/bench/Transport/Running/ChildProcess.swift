import ArgumentParser
import Foundation

/// A program that the benchmark runs; with the system's own calls, which alone tell what one child used.
final class ChildProcess {
  struct Outcome {
    var status: Int32
    var output: String
    var errors: String
    /// From the start to the end, in seconds.
    var wall: Double
    var used: ResourceUsage
  }

  let identifier: pid_t
  private let output: FileHandle
  private let errors: UnsafeMutablePointer<FILE>?
  private var isOver = false

  private init(_ command: [String], environment: [String: String]) throws {
    var pipes: [Int32] = [-1, -1]
    guard pipe(&pipes) == 0, let errors = tmpfile() else {
      throw ValidationError("No descriptor is left for \(command[0]).")
    }
    // Else a server would hold the other end of the next one's pipe.
    for number in pipes + [fileno(errors)] { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, pipes[1], 1)
    posix_spawn_file_actions_adddup2(&actions, fileno(errors), 2)
    let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    var arguments = command.map { strdup($0) } + [nil]
    var variables = all.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in arguments + variables { free(pointer) } }
    var identifier: pid_t = 0
    let code = posix_spawn(&identifier, command[0], &actions, nil, &arguments, &variables)
    close(pipes[1])
    output = FileHandle(fileDescriptor: pipes[0], closeOnDealloc: true)
    self.errors = errors
    self.identifier = identifier
    guard code == 0 else {
      isOver = true
      throw ValidationError("\(command[0]) cannot be started: \(String(cString: strerror(code))).")
    }
  }

  deinit {
    if let errors { fclose(errors) }
  }

  /// Runs a command to its end.
  static func run(_ command: [String], environment: [String: String] = [:]) throws -> Outcome {
    let clock = ContinuousClock()
    let start = clock.now
    let child = try ChildProcess(command, environment: environment)
    let output = child.output.readDataToEndOfFile()
    let (status, used) = child.wait()
    return Outcome(
      status: status, output: String(decoding: output, as: UTF8.self), errors: child.errorText,
      wall: (clock.now - start) / .seconds(1), used: used)
  }

  /// Runs a client that prints its own measurements as one JSON object.
  static func measure<Answer: Decodable>(_ command: [String], as type: Answer.Type) throws -> Answer {
    let outcome = try run(command)
    guard outcome.status == 0, let answer = try? JSONLine.decode(type, lastOf: outcome.output) else {
      throw ValidationError(
        "\(command.prefix(3).joined(separator: " ")) failed (\(outcome.status)): \(outcome.errors.suffix(600))")
    }
    return answer
  }

  /// Starts a server; it runs until ``end()``.
  static func start(_ command: [String]) throws -> ChildProcess {
    try ChildProcess(command, environment: [:])
  }

  /// The first line that it prints.
  func firstLine() -> String {
    var line = Data()
    while let byte = try? output.read(upToCount: 1), !byte.isEmpty, byte.first != 0x0A { line += byte }
    return String(decoding: line, as: UTF8.self)
  }

  func end() {
    guard !isOver else { return }
    // gtlsserver takes no other signal.
    kill(identifier, SIGKILL)
    _ = wait()
  }

  /// The exit status, 128 and more for a signal, and what the child and its own children used.
  private func wait() -> (status: Int32, used: ResourceUsage) {
    var status: Int32 = 0
    var used = rusage()
    while wait4(identifier, &status, 0, &used) < 0, errno == EINTR {}
    isOver = true
    return (status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f, ResourceUsage(used))
  }

  private var errorText: String {
    guard let errors else { return "" }
    rewind(errors)
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    let count = fread(&bytes, 1, bytes.count, errors)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
