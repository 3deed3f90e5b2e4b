/// A file that the server offers and the client must have, byte for byte.
struct CaseFile: Hashable, Sendable {
  static let kilobyte = 1 << 10
  static let megabyte = 1 << 20

  var bytes: Int
  /// Letters of its name, which is drawn by lot.
  var nameLength = 12

  init(_ bytes: Int, nameLength: Int = 12) {
    self.bytes = bytes
    self.nameLength = nameLength
  }

  static func kilobytes(_ counts: Int...) -> [CaseFile] { counts.map { CaseFile($0 * kilobyte) } }
  static func megabytes(_ counts: Int...) -> [CaseFile] { counts.map { CaseFile($0 * megabyte) } }
  static func many(_ count: Int, bytes: Int, nameLength: Int = 12) -> [CaseFile] {
    Array(repeating: CaseFile(bytes, nameLength: nameLength), count: count)
  }

  /// Distinct names of lower-case letters, one for each file.
  static func names(for files: [CaseFile], using generator: inout some RandomNumberGenerator) -> [String] {
    var taken: Set<String> = []
    return files.map { file in
      while true {
        let letters = (0..<max(file.nameLength, 8)).map { _ in UInt8.random(in: 97...122, using: &generator) }
        let name = String(decoding: letters, as: UTF8.self)
        if taken.insert(name).inserted { return name }
      }
    }
  }
}
