/// TLS secrets in the format of SSLKEYLOGFILE.
enum TLSSecrets {
  /// Of each file; a handshake writes about 800 bytes.
  static let mostBytes = 4 << 20

  /// The lines of several files, each once. What is neither a secret nor a comment is left out, so that a program's
  /// broken file spoils nobody's.
  static func merged(_ texts: [String]) -> String {
    var seen: Set<Substring> = []
    var lines: [Substring] = []
    for text in texts {
      for line in text.split(whereSeparator: \.isNewline) where isSecret(line) && seen.insert(line).inserted {
        lines.append(line)
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Whether what is encrypted can be read with it: the handshake's packets need this one.
  static func isUsable(_ text: String) -> Bool {
    text.split(whereSeparator: \.isNewline).contains { $0.hasPrefix("SERVER_HANDSHAKE_TRAFFIC_SECRET ") }
  }

  private static func isSecret(_ line: Substring) -> Bool {
    let words = line.split(separator: " ")
    guard words.count == 3, words[1].utf8.count == 64 else { return false }
    return words[0].allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber || $0 == "_") }
      && (words[1] + words[2]).allSatisfy(\.isHexDigit)
  }
}
