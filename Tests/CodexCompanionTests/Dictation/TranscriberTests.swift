import Foundation
import TestSupport
import Testing

@testable import CodexCompanion

@Suite(.timeLimit(.minutes(5))) struct TranscriberTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func transcriber(
    _ script: String, timeLimit: Duration = .seconds(240), clock: any Clock<Duration> = ContinuousClock()
  ) throws -> Transcriber {
    try folder.write("#!/bin/sh\n\(script)\n", to: "listen", mode: 0o700)
    return Transcriber(
      program: folder.file("listen"), folder: folder.path, environment: ["PATH": "/usr/bin:/bin"], timeLimit: timeLimit,
      clock: clock)
  }

  private func sound(_ text: String = "sound", language: String? = "de-CH") throws -> Dictation {
    try Dictation(
      audioBase64: Data(text.utf8).base64EncodedString(), mimeType: "audio/mp4; codecs=x", language: language)
  }

  private func code(_ body: () async throws -> Void) async -> TranscriptionError.Code? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? TranscriptionError)?.code
    }
  }

  @Test func theProgramGetsTheSoundAndPrintsTheText() async throws {
    let script = #"echo " $# $(cat "$1") $COMPANION_MIME_TYPE $COMPANION_LANGUAGE"; stat -c %a "$1""#
    let transcriber = try transcriber(script)
    #expect(transcriber.name == "listen")
    #expect(try await transcriber.transcribe(sound()) == "1 sound audio/mp4 de-CH\n600")
    #expect(!FileManager.default.fileExists(atPath: folder.file("dictation.audio")))
  }

  @Test(arguments: ["exit 3", "head -c 70000 /dev/zero | tr '\\0' x", "kill -9 $$"])
  func aProgramThatFailsIsReported(script: String) async throws {
    let transcriber = try transcriber(script)
    #expect(await code { _ = try await transcriber.transcribe(sound()) } == .failed)
    #expect(!FileManager.default.fileExists(atPath: folder.file("dictation.audio")))
    // It is free for the next.
    #expect(await code { _ = try await transcriber.transcribe(sound()) } == .failed)
  }

  @Test func oneRunsAtATimeAndNotForEver() async throws {
    let clock = ManualClock()
    let transcriber = try transcriber("echo begun > \"$1.begun\"; sleep 600", timeLimit: .seconds(60), clock: clock)
    async let first = code { _ = try await transcriber.transcribe(sound()) }
    while !FileManager.default.fileExists(atPath: folder.file("dictation.audio.begun")) { await Task.yield() }
    #expect(await code { _ = try await transcriber.transcribe(sound()) } == .busy)
    await clock.waitForSleep(of: .seconds(60))
    clock.advance(by: .seconds(60))
    #expect(await first == .timedOut)
  }

  @Test(
    arguments: [
      ("", "audio/mp4", nil), ("%%%", "audio/mp4", nil), ("AAAA", "text/plain", nil), ("AAAA", "audio/x;", "e n"),
      ("AAAA", "audio/\u{0}", nil), ("AAAA", "audio/a b", nil), ("AAAA", "audio/mp4", ""), ("AAAA", "audio/mp4", "-\n"),
      ("AAAA", "audio/mp4", String(repeating: "e", count: 36)),
      (String(repeating: "A", count: 16 << 20), "audio/mp4", nil),
    ] as [(String, String, String?)])
  func whatIsNoSoundIsRefused(audio: String, mimeType: String, language: String?) {
    let error = #expect(throws: TranscriptionError.self) {
      try Dictation(audioBase64: audio, mimeType: mimeType, language: language)
    }
    #expect(error?.code == .invalid)
  }
}
