/// The name of a rollout file: `rollout-TIME-THREAD.jsonl`, or `rollout-TIME-THREAD_SEGMENT.jsonl` for what came after
/// turns of the thread were taken back.
///
/// The first segment's id is that of its thread. Ids are UUIDs of version 7, which sort by their time.
struct RolloutName: Hashable, Sendable {
  let threadID: String
  let segmentID: String

  /// nil where it is no name of a rollout.
  init?(_ name: String) {
    let prefix = "rollout-"
    let suffix = ".jsonl"
    guard name.hasPrefix(prefix), name.hasSuffix(suffix), name.utf8.count > prefix.utf8.count + suffix.utf8.count else {
      return nil
    }
    let stem = Array(name.utf8.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count))
    guard let last = Self.id(stem.suffix(36)) else { return nil }
    let rest = stem.dropLast(36)
    if rest.last == UInt8(ascii: "_"), let thread = Self.id(rest.dropLast().suffix(36)),
      rest.dropLast(37).last == UInt8(ascii: "-")
    {
      threadID = thread
    } else {
      guard rest.last == UInt8(ascii: "-") else { return nil }
      threadID = last
    }
    segmentID = last
  }

  /// Whether a text is an id as codex writes them: hexadecimal digits in groups of 8, 4, 4, 4 and 12.
  static func isID(_ text: String) -> Bool { id(Array(text.utf8)[...]) != nil }

  private static func id(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.count == 36 else { return nil }
    for (index, byte) in bytes.enumerated() {
      let isDash = [8, 13, 18, 23].contains(index)
      let isDigit = (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
      guard isDash ? byte == 0x2D : isDigit else { return nil }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
