import CodexRemoteClient
import Foundation

/// The companion's transcript of a recording from a file or a pipe.
enum RecordingTranscript {
  /// Bytes of a recording; in base64 it is a third more.
  private static let limit = 8 << 20
  private static let types = [
    "wav": "audio/wav", "mp3": "audio/mpeg", "m4a": "audio/mp4", "mp4": "audio/mp4", "ogg": "audio/ogg",
    "webm": "audio/webm", "flac": "audio/flac",
  ]

  /// - Parameter path: `-` for standard input, which has to be a WAV file then. Throws `RemoteError`.
  static func text(of path: String, by client: RemoteClient) async throws -> String {
    guard !path.isEmpty else { throw RemoteError(.misuse, "Name a file with what was said.") }
    let isPipe = path == "-"
    let handle = isPipe ? FileHandle.standardInput : FileHandle(forReadingAtPath: path)
    guard let data = try handle?.read(upToCount: limit + 1) else {
      throw RemoteError(.misuse, "'\(path)' is empty, or cannot be read.")
    }
    guard data.count <= limit else {
      throw RemoteError(.misuse, "'\(path)' has more than \(limit >> 20) MiB; dictate in parts.")
    }
    let name = isPipe ? "dictation.wav" : URL(filePath: path).lastPathComponent
    let type = types[URL(filePath: name).pathExtension.lowercased()] ?? "application/octet-stream"
    do {
      return try await client.transcribe(audio: data.base64EncodedString(), fileName: name, mimeType: type).text
    } catch let error as RemoteError where error.code == .unsupported {
      throw RemoteError(
        .unsupported, "This companion has no dictation; start it with --transcribe, or type the message.",
        status: error.status, cause: error)
    }
  }
}
