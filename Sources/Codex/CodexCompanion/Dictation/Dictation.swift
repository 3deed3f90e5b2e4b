import Foundation

/// Sound that a device wants as text, as far as a program may know it.
package struct Dictation: Sendable {
  /// The longest sound, in bytes: some minutes of what phones record.
  static let maximumAudio = 10 << 20

  let audio: [UInt8]
  /// Such as `audio/mp4`.
  let mimeType: String
  /// A language tag (RFC 5646); nil where the device names none.
  let language: String?

  /// Throws ``TranscriptionError`` for what is no sound of a known length, or could be taken for something else by a program.
  package init(audioBase64: String, mimeType: String, language: String?) throws(TranscriptionError) {
    guard audioBase64.utf8.count <= Self.maximumAudio / 3 * 4 + 4, let audio = Data(base64Encoded: audioBase64),
      !audio.isEmpty
    else {
      throw TranscriptionError(
        .invalid, "audioBase64 is sound of at most \(Self.maximumAudio >> 20) MiB in Base64, in one line.")
    }
    // Its parameters, such as the codec, are in the sound itself.
    let type = String(mimeType.prefix { $0 != ";" }).lowercased()
    guard type.hasPrefix("audio/"), type.utf8.count <= 64, type.dropFirst(6).utf8.allSatisfy(Self.isNameByte) else {
      throw TranscriptionError(.invalid, "mimeType is a type of sound, such as audio/mp4.")
    }
    if let language, !((1...35).contains(language.utf8.count) && language.utf8.allSatisfy(Self.isTagByte)) {
      throw TranscriptionError(.invalid, "language is a tag such as en or de-CH.")
    }
    self.audio = Array(audio)
    self.mimeType = type
    self.language = language
  }

  private static func isTagByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool { isTagByte(byte) || ".+".utf8.contains(byte) }
}
