import Foundation

/// The shell command of the user's own client.
struct ClientCommandText: Hashable, Sendable {
  let text: String

  /// Throws ``LabError`` without a place for the URL.
  init(_ text: String) throws(LabError) {
    guard text.contains("{url}") else {
      throw LabError(
        .usage,
        """
        --client takes a command with {url} in it and, where it checks certificates, {authority}, the file of the \
        authority's certificate; '\(text)' has no {url}. Example: --client 'curl -sN --cacert {authority} {url}'.
        """)
    }
    self.text = text
  }

  /// The name of its program, for reports.
  var label: String {
    let word = text.split(whereSeparator: \.isWhitespace).first { !$0.contains("=") } ?? ""
    return URL(fileURLWithPath: String(word)).lastPathComponent
  }

  /// The command for one resource; the values are quoted where the shell wants it.
  func filled(url: String, authorityFile: String) -> String {
    ServerChoice.filled(text, with: ["{url}": url, "{authority}": authorityFile])
  }
}
