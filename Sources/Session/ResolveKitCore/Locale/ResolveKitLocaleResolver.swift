/// Resolves a client's wish to one of the contract's locales; the server resolves by the same rules.
public enum ResolveKitLocaleResolver {
  /// The locale where none of the preferred ones is supported.
  public static let fallback = "en"

  /// Every locale that the contract knows, as lower-case BCP 47 tags.
  public static let supportedLocales = [
    "en", "ar", "bg", "bn", "bs", "ca", "cs", "da", "de", "el", "en-gb", "es", "es-ar", "et", "fa", "fi", "fr", "hi",
    "he", "hr", "hu", "id", "it", "lv", "ms", "no", "ja", "ko", "nl", "pl", "pt", "pt-br", "ro", "ru", "sk", "sq", "sr",
    "sv", "sw", "th", "tr", "tl", "uk", "ur", "vi", "zh", "zh-tw", "zh-cn", "lt",
  ]

  private static let supported = Set(supportedLocales)
  private static let aliases = ["zh-hans": "zh-cn", "zh-hant": "zh-tw"]

  /// The wish itself or its language, then the same for each preferred locale, then ``fallback``.
  ///
  /// Tags may have any case, underscores in the place of hyphens, and white space around them.
  public static func resolve(locale: String?, preferredLocales: [String] = []) -> String {
    if let locale, let match = match(locale) { return match }
    for preferred in preferredLocales {
      if let match = match(preferred) { return match }
    }
    return fallback
  }

  /// The resolution of a single tag; nil where neither it nor its language is known.
  public static func match(_ tag: String) -> String? {
    var text = tag[...]
    while text.first?.isWhitespace ?? false { text.removeFirst() }
    while text.last?.isWhitespace ?? false { text.removeLast() }
    let name = String(text.lowercased().map { $0 == "_" ? "-" : $0 })
    let locale = aliases[name] ?? name
    if supported.contains(locale) { return locale }
    let language = String(locale.prefix { $0 != "-" })
    return supported.contains(language) ? language : nil
  }
}
