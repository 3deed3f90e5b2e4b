import Foundation
import ResolveKitCore

/// The text files that go with the next message, as part of its text: the contract's message is text alone, and has no
/// place for a picture.
struct MessageAttachments {
  /// A file that cannot be sent along, as a sentence with the reason.
  struct Refusal: Error, Equatable, CustomStringConvertible {
    let description: String
  }

  private var files: [(name: String, text: String)] = []

  /// The files' names, in the order in which they are sent.
  var names: [String] { files.map(\.name) }

  /// Adds a file's content.
  mutating func add(_ name: String, _ bytes: some Collection<UInt8>) throws(Refusal) {
    if let kind = Self.pictureKind(bytes) {
      throw Refusal(
        description: "\(name) is a picture (\(kind)); a message is text alone, so it can't be sent along")
    }
    guard let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) else {
      throw Refusal(description: "\(name) is no text in UTF-8; a message is text alone, so it can't be sent along")
    }
    guard bytes.count <= MessageSendRequest.maximumTextBytes else {
      throw Refusal(
        description: "\(name) has \(bytes.count) bytes; a message has \(MessageSendRequest.maximumTextBytes) at most")
    }
    files.append((name, text))
  }

  mutating func removeAll() { files = [] }

  /// The message with its files behind it, each in a code block (CommonMark 0.31 § 4.5) below its name.
  func message(_ text: String) -> String {
    files.reduce(text) { message, file in
      let fence = Self.fence(for: file.text)
      return message + "\n\n\(file.name):\n\(fence)\n\(file.text)\(file.text.hasSuffix("\n") ? "" : "\n")\(fence)"
    }
  }

  /// More backticks than the text has in a row.
  private static func fence(for text: String) -> String {
    var (longest, run) = (0, 0)
    for byte in text.utf8 {
      run = byte == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    return String(repeating: "`", count: max(3, longest + 1))
  }

  /// The format of a picture by its first bytes; nil for anything else.
  private static func pictureKind(_ bytes: some Collection<UInt8>) -> String? {
    let signatures: [(kind: String, start: [UInt8])] = [
      ("PNG", [0x89, 0x50, 0x4E, 0x47]), ("JPEG", [0xFF, 0xD8, 0xFF]), ("GIF", Array("GIF8".utf8)),
      ("WebP", Array("RIFF".utf8)), ("TIFF", [0x49, 0x49, 0x2A, 0x00]), ("TIFF", [0x4D, 0x4D, 0x00, 0x2A]),
    ]
    return signatures.first { bytes.starts(with: $0.start) }?.kind
  }
}
