import Foundation
import StreamTransport

/// A file that holds an API key and nothing else.
enum APIKeyFile {
  /// A file that cannot be used, in words that name the remedy and never the key.
  struct Refusal: Error, Equatable, CustomStringConvertible {
    let description: String
  }

  /// Throws ``Refusal`` where others than its owner may read it, and where it holds no key.
  static func read(_ path: String) throws(Refusal) -> String {
    func refuse(_ remedy: String) -> Refusal { Refusal(description: "the API key file '\(path)' \(remedy)") }
    let bytes: [UInt8]
    do { bytes = try PrivateFile.read(path, limit: 4096) } catch { throw refuse("can't be read: \(error.description)") }
    let file = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
    let attributes = try? FileManager.default.attributesOfItem(atPath: file)
    guard attributes?[.type] as? FileAttributeType == .typeRegular else { throw refuse("is no file") }
    guard let mode = attributes?[.posixPermissions] as? NSNumber, mode.intValue & 0o077 == 0 else {
      throw refuse("can be read by others; chmod 600 '\(path)', and make a new key if they may have read it")
    }
    let key = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard !key.isEmpty else { throw refuse("holds no key") }
    return key
  }
}
