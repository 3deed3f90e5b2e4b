import Foundation

/// The file that the registry is written to.
struct RegistryFile {
  let path: String

  /// Puts `text` in place whole or not at all; leaves a file that holds it already as it is, so that nothing is compiled
  /// again. Returns whether the file was written.
  @discardableResult
  func write(_ text: String) throws(CodegenError) -> Bool {
    let url = URL(filePath: path)
    let data = Data(text.utf8)
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
      guard !isFolder.boolValue else {
        throw CodegenError(.output, "'\(path)' is a folder; name the file to write.")
      }
      if let old = try? Data(contentsOf: url), old == data { return false }
    }
    do {
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: url, options: .atomic)
    } catch {
      throw CodegenError(
        .output, "The registry '\(path)' can't be written; check the folder's permissions.", cause: error)
    }
    return true
  }
}
