/// Cuts bytes into lines, each no longer than a limit.
package struct LineSplitter {
  private let limit: Int
  private var line: [UInt8] = []

  package init(limit: Int) {
    self.limit = limit
  }

  /// The lines that end in `bytes`, without their line feeds and without empty ones.
  /// - Throws: `AppServerError.Code.tooLarge` as soon as a line is longer than the limit, ended or not.
  package mutating func append(_ bytes: some Collection<UInt8>) throws(AppServerError) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      let part = rest[..<(end ?? rest.endIndex)]
      guard part.count <= limit - line.count else { throw AppServerError.tooLarge(limit: limit) }
      line.append(contentsOf: part)
      guard let end else { break }
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      if !line.isEmpty { lines.append(line) }
      line = []
      rest = rest[rest.index(after: end)...]
    }
    return lines
  }
}
