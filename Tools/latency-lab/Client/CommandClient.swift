import EventStream
import Foundation
import Glibc
import NIOCore
import StreamTransport
import Subprocess
import Synchronization
import SystemPackage

/// A foreign client, as a shell command that writes a response's body to its standard output.
///
/// Every stream has a process of its own, which is started again behind the last event when it ends before the stream.
final class CommandClient: StreamClient {
  private let command: ClientCommandText
  private let plan: ClientPlan
  private let started = Mutex(0)

  /// The exit codes of a shell that cannot run its command (POSIX, 2.8.2).
  private static let notRun: ClosedRange<Int32> = 126...127

  init(_ command: ClientCommandText, _ plan: ClientPlan) {
    self.command = command
    self.plan = plan
  }

  /// Only a process makes a connection, and does not say when.
  func connect() async -> Int64? { nil }

  func follow(_ stream: Int, from start: Int64, _ recorder: RunRecorder) async throws {
    let reader = Mutex(EventReader(stream: stream, recorder: recorder))
    var backoff = Backoff(StreamClientRules.backoff)
    var generator = SystemRandomNumberGenerator()
    while true {
      let path = StreamClientRules.path(of: stream, start: start, from: reader.withLock { $0.next })
      reader.withLock { $0.restart() }
      let began = ContinuousClock.now
      let outcome = try await run(path) { buffer throws(StreamClientError) in
        let arrived = PreciseTimer.now
        return try reader.withLock { reader throws(StreamClientError) in
          switch try reader.read(buffer, at: arrived) {
          case .more: false
          case .end: true
          case .tool: throw StreamClientError("A client's command cannot answer a tool; choose a scenario without one.")
          }
        }
      }
      guard case .ended(let reason) = outcome else { return }
      try Task.checkCancellation()
      recorder.broke(stream, at: PreciseTimer.now, reason: reason)
      try await Task.sleep(for: backoff.delay(after: .lost(uptime: .now - began), using: &generator))
    }
  }

  func download(_ count: Int, onBytes: @Sendable (Int) -> Void) async throws {
    let left = Mutex(count)
    try await withoutActuallyEscaping(onBytes) { onBytes in
      let outcome = try await run(StreamClientRules.downloadPath(count)) { buffer throws(StreamClientError) in
        onBytes(buffer.readableBytes)
        return left.withLock { left in
          left -= buffer.readableBytes
          return left <= 0
        }
      }
      if case .ended(let reason) = outcome { throw StreamClientError(reason) }
    }
  }

  var facts: StreamClientFacts {
    StreamClientFacts(
      spoken: StreamClientFacts.unknown, connections: started.withLock { $0 }, software: command.text)
  }

  /// Processes end with their streams.
  func close() async {}

  // MARK: One process

  private enum Outcome {
    case complete
    /// The process ended before its output was complete.
    case ended(reason: String)
  }

  /// Runs the command for a resource until `take`, which gets its output, returns true, or it ends.
  private func run(
    _ path: String, _ take: @escaping @Sendable (ByteBuffer) throws(StreamClientError) -> Bool
  ) async throws -> Outcome {
    started.withLock { $0 += 1 }
    let (output, input) = try SystemPackage.FileDescriptor.pipe()
    var options = PlatformOptions()
    // A shell's own children end with it.
    options.processGroupID = 0
    let configuration = Configuration(
      executable: .path("/bin/sh"),
      arguments: ["-c", command.filled(url: plan.origin + path, authorityFile: plan.authorityFile)],
      platformOptions: options)
    let result = try await Subprocess.run(
      configuration, input: .none, output: .fileDescriptor(input, closeAfterSpawningProcess: true),
      error: .fileDescriptor(.standardError, closeAfterSpawningProcess: false)
    ) { execution in
      try await withTaskCancellationHandler {
        defer { try? execution.send(signal: .kill, toProcessGroup: true) }
        return try await Self.read(output, take)
      } onCancel: {
        try? execution.send(signal: .kill, toProcessGroup: true)
      }
    }
    if result.closureResult { return .complete }
    switch result.terminationStatus {
    case .exited(let code) where Self.notRun.contains(code):
      throw StreamClientError("The client's command cannot be run (exit code \(code)): \(command.text)")
    case let status: return .ended(reason: "The client's command ended: \(status).")
    }
  }

  /// Reads on a thread of its own, so that no task's turn is in an arrival's time; true where `take` has all.
  private static func read(
    _ descriptor: SystemPackage.FileDescriptor,
    _ take: @escaping @Sendable (ByteBuffer) throws(StreamClientError) -> Bool
  ) async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try readAll(descriptor, take) })
        try? descriptor.close()
      }
    }
  }

  private static func readAll(
    _ descriptor: SystemPackage.FileDescriptor, _ take: (ByteBuffer) throws(StreamClientError) -> Bool
  ) throws -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try buffer.withUnsafeMutableBytes { try descriptor.read(into: $0) }
      guard count > 0 else { return false }
      if try take(ByteBuffer(bytes: buffer[..<count])) { return true }
    }
  }
}
