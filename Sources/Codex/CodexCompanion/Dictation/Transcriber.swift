import Foundation
import StreamTransport
import Subprocess
import Synchronization
import SystemPackage

/// The program that turns dictated sound into text: one that the person at the workstation has named.
///
/// It gets the path of the sound as its one argument, type and language in its environment, and prints the text. It runs
/// without a shell, in a session of its own that is ended as a whole, one at a time.
package final class Transcriber: Sendable {
  /// The longest text, in bytes of UTF-8.
  static let maximumText = 64 << 10
  static let maximumTime = Duration.seconds(60)

  /// The program's own name; clients show it as the model.
  let name: String
  private let program: FilePath
  private let environment: [String: String]
  /// The file of the sound while it is transcribed.
  private let file: String
  private let timeLimit: Duration
  private let clock: any Clock<Duration>
  private let isBusy = Mutex(false)

  /// - Parameter folder: One that is closed to others.
  package init(
    program: String, folder: String, environment: [String: String], timeLimit: Duration = maximumTime,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.program = FilePath(program)
    name = self.program.lastComponent?.string ?? program
    file = folder + "/dictation.audio"
    self.environment = environment
    self.timeLimit = timeLimit
    self.clock = clock
  }

  /// The text of the sound. Throws ``TranscriptionError``.
  package func transcribe(_ dictation: Dictation) async throws -> String {
    guard take() else {
      throw TranscriptionError(.busy, "Another dictation is being transcribed; try again in a moment.")
    }
    defer {
      unlink(file)
      isBusy.withLock { $0 = false }
    }
    do {
      try PrivateFile.write(dictation.audio, to: file, isDurable: false)
    } catch {
      throw TranscriptionError(.failed, "The sound cannot be kept: \(error).")
    }
    let configuration = configuration(for: dictation)
    return try await withThrowingTaskGroup(of: String?.self) { group in
      group.addTask { try await self.run(configuration) }
      group.addTask { [timeLimit, clock] in
        try await clock.sleep(for: timeLimit)
        return nil
      }
      defer { group.cancelAll() }
      guard let text = try await group.next() ?? nil else {
        throw TranscriptionError(.timedOut, "The transcription took longer than \(timeLimit); dictate less at once.")
      }
      return text
    }
  }

  private func take() -> Bool {
    isBusy.withLock { isBusy in
      defer { isBusy = true }
      return !isBusy
    }
  }

  private func configuration(for dictation: Dictation) -> Configuration {
    var variables = environment
    variables["COMPANION_MIME_TYPE"] = dictation.mimeType
    variables["COMPANION_LANGUAGE"] = dictation.language ?? ""
    var options = PlatformOptions()
    options.createSession = true
    options.teardownSequence = [
      .send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .zero)
    ]
    return Configuration(
      executable: .path(program), arguments: Arguments([file]),
      environment: .custom(
        Dictionary(uniqueKeysWithValues: variables.map { (Environment.Key(stringLiteral: $0.key), $0.value) })),
      platformOptions: options)
  }

  private func run(_ configuration: Configuration) async throws -> String {
    do {
      let result = try await Subprocess.run(
        configuration, input: .none, output: .string(limit: Self.maximumText), error: .discarded)
      guard result.terminationStatus.isSuccess else {
        throw TranscriptionError(.failed, "'\(name)' did not transcribe it: \(result.terminationStatus).")
      }
      return result.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
    } catch let error as TranscriptionError {
      throw error
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      throw TranscriptionError(.failed, "'\(name)' could not be run, or wrote more than \(Self.maximumText) bytes.")
    }
  }
}
