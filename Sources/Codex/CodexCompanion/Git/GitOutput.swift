/// The result of a git command.
struct GitOutput: Hashable, Sendable {
  /// The longest text of an error that is kept.
  static let maximumError = 16 << 10

  var output: [UInt8]
  var isCut: Bool
  var errorOutput: [UInt8]
  var exitCode: Int32

  var text: String { String(decoding: output, as: UTF8.self) }

  /// The output's parts, each of which ends with a NUL.
  var parts: [ArraySlice<UInt8>] { output.split(separator: 0, omittingEmptySubsequences: true) }

  /// Git's message about its failure, without the spaces around it.
  var errorText: String {
    let isSpace = { (byte: UInt8) in byte <= 0x20 }
    let text = errorOutput.drop(while: isSpace)
    let end = text.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? text.startIndex
    return String(decoding: text[..<end], as: UTF8.self)
  }

  /// The output, if git ended well. Throws ``GitError``.
  func successful(_ what: String) throws(GitError) -> GitOutput {
    guard exitCode == 0 else { throw failure(what) }
    return self
  }

  func failure(_ what: String) -> GitError {
    if errorText.contains("not a git repository") { return .notRepository }
    return GitError(.failed, errorText.isEmpty ? "\(what) failed: git ended with code \(exitCode)." : errorText)
  }
}

extension GitError {
  static var notRepository: GitError { GitError(.notRepository, "Project is not a Git repository") }
}
