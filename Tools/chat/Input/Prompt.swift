import Foundation
import ResolveKitCore

/// The source of the messages.
enum Prompt: Equatable {
  /// From the arguments or a pipe: one turn.
  case text(String)
  /// From a person, turn after turn.
  case terminal

  static func read(arguments: [String]) throws(ChatFailure) -> Prompt {
    if !arguments.isEmpty { return .text(try checked(arguments.joined(separator: " "))) }
    if isatty(STDIN_FILENO) == 1 { return .terminal }
    // One byte more than is allowed distinguishes a message that is too long from one that just fits.
    let limit = MessageSendRequest.maximumTextBytes + 1
    var bytes = Data()
    while bytes.count < limit {
      let more: Data?
      do { more = try FileHandle.standardInput.read(upToCount: limit - bytes.count) } catch {
        throw ChatFailure(code: .usage, message: "the message can't be read from standard input: \(error)")
      }
      guard let more, !more.isEmpty else { break }
      bytes += more
    }
    return .text(try checked(String(decoding: bytes, as: UTF8.self)))
  }

  /// The message without the line end that `echo` adds.
  static func checked(_ text: String) throws(ChatFailure) -> String {
    let text = String(text.reversed().drop { $0.isNewline }.reversed())
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw ChatFailure(code: .usage, message: "the message is empty; give one as an argument or through a pipe")
    }
    guard text.utf8.count <= MessageSendRequest.maximumTextBytes else {
      throw ChatFailure(
        code: .usage, message: "the message is longer than \(MessageSendRequest.maximumTextBytes) bytes")
    }
    return text
  }
}
