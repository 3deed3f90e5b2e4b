/// Ids of letters alone.
///
/// Runtimes of the contract replace what looks like a telephone number in every text that they store: of ids with digits
/// one in four comes back changed, and matches nothing any more.
public enum LetterID {
  /// A prefix and 26 random letters, 122 bits.
  public static func make(_ prefix: String, using generator: inout some RandomNumberGenerator) -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyz".utf8)
    let random = (0..<26).map { _ in letters[Int.random(in: 0..<letters.count, using: &generator)] }
    return prefix + String(decoding: random, as: UTF8.self)
  }

  /// The same from the system's generator.
  public static func make(_ prefix: String) -> String {
    var generator = SystemRandomNumberGenerator()
    return make(prefix, using: &generator)
  }
}
