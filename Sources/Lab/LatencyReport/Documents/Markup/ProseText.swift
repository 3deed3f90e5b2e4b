/// Sentences in which a number stays on one line with its unit.
enum ProseText {
  private static let units: Set<String> = [
    "%", "ms", "s", "µs", "B", "kB", "MB", "kbit/s", "Mbit/s", "Gbit/s", "RTT", "GiB",
  ]

  static func bound(_ text: String) -> String {
    var result = ""
    var last: Substring = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if !result.isEmpty {
        let unit = word.prefix { !",.;:)]".contains($0) }
        let isUnit = units.contains(String(unit)) && last.last.map { $0.isNumber } == true
        result += isUnit || last.hasSuffix("±") ? "\u{A0}" : " "
      }
      result += word
      last = word
    }
    return result
  }
}
