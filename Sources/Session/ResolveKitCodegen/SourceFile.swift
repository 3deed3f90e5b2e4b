import Foundation

/// A Swift source as bytes; the parser copes with any.
struct SourceFile {
  let path: String
  let bytes: [UInt8]

  /// The size limit of one source in bytes: the compiler counts positions in 32 bits.
  static let sizeLimit = 256 << 20

  init(path: String) throws(CodegenError) {
    self.path = path
    let data: Data
    do {
      let handle = try FileHandle(forReadingFrom: URL(filePath: path))
      defer { try? handle.close() }
      data = try handle.read(upToCount: Self.sizeLimit + 1) ?? Data()
    } catch {
      throw CodegenError(
        .input, "The source '\(path)' can't be read; check that it exists and may be read.", cause: error)
    }
    guard data.count <= Self.sizeLimit else {
      throw CodegenError(.input, "The source '\(path)' is larger than \(Self.sizeLimit) bytes; split it.")
    }
    bytes = Array(data)
  }

  /// Whether the text can hold the attribute at all; most sources can't, and are not parsed.
  var mayMarkFunctions: Bool {
    let word = Array("ResolveKit".utf8)
    return bytes.indices.dropLast(word.count - 1).contains { start in
      bytes[start] == word[0] && bytes[start..<start + word.count].elementsEqual(word)
    }
  }

  /// The Swift files in a folder and below, sorted, without `excluded`; hidden ones are left out, and links to folders
  /// are not followed.
  static func paths(in folder: String, excluding excluded: String) throws(CodegenError) -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) else {
      throw CodegenError(.input, "There is no folder '\(folder)'.")
    }
    guard isFolder.boolValue else {
      throw CodegenError(.input, "'\(folder)' is not a folder; to name files, use --output.")
    }
    let excluded = URL(filePath: excluded).standardizedFileURL.resolvingSymlinksInPath().path
    var paths: [String] = []
    var unread: (path: String, error: any Error)?
    let entries = FileManager.default.enumerator(
      at: URL(filePath: folder), includingPropertiesForKeys: nil, options: [.skipsHiddenFiles],
      errorHandler: { url, error in
        unread = (url.path, error)
        return false
      })
    for case let url as URL in entries ?? FileManager.DirectoryEnumerator() where url.pathExtension == "swift" {
      let target = url.standardizedFileURL.resolvingSymlinksInPath().path
      // Reading a pipe would block until it is written.
      let kind = (try? FileManager.default.attributesOfItem(atPath: target))?[.type] as? FileAttributeType
      guard kind == .typeRegular, target != excluded else { continue }
      paths.append(url.path)
    }
    if let unread { throw CodegenError(.input, "'\(unread.path)' can't be listed.", cause: unread.error) }
    return paths.sorted()
  }
}
