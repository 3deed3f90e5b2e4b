/// Which of the contract's locales a client's wish comes to.
enum Localization {
  private static let known: Set<String> = [
    "en", "ar", "bg", "bn", "bs", "ca", "cs", "da", "de", "el", "en-gb", "es", "es-ar", "et", "fa", "fi", "fr", "hi",
    "he", "hr", "hu", "id", "it", "lv", "ms", "no", "ja", "ko", "nl", "pl", "pt", "pt-br", "ro", "ru", "sk", "sq", "sr",
    "sv", "sw", "th", "tr", "tl", "uk", "ur", "vi", "zh", "zh-tw", "zh-cn", "lt",
  ]
  private static let aliases = ["zh-hans": "zh-cn", "zh-hant": "zh-tw"]

  /// The wish itself or its language, then the same for the preferred ones, then English.
  static func resolve(_ wish: String?, preferred: [String] = []) -> String {
    for candidate in [wish].compactMap({ $0 }) + preferred {
      if let locale = match(candidate) { return locale }
    }
    return "en"
  }

  private static func match(_ text: String) -> String? {
    let trimmed = text.drop(while: \.isWhitespace).lowercased().split(whereSeparator: \.isWhitespace).first ?? ""
    let name = String(trimmed).replacing("_", with: "-")
    let locale = aliases[name] ?? name
    if known.contains(locale) { return locale }
    let language = String(locale.prefix { $0 != "-" })
    return known.contains(language) ? language : nil
  }
}
