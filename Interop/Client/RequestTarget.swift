import Foundation
import StreamTransport

/// One URL of REQUESTS, and the file that its body goes to.
struct RequestTarget: Hashable, Sendable {
  let origin: Origin
  let path: String
  /// The path's last component: never another folder than the one for downloads.
  let fileName: String

  init(_ text: some StringProtocol) throws(EndpointContract.Refusal) {
    let text = String(text)
    guard let url = URL(string: text), let origin = try? Origin(url), origin.scheme == .https else {
      throw .invalid("'\(text)' in REQUESTS is no https URL.")
    }
    let path = url.path(percentEncoded: true)
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    guard let name = name.removingPercentEncoding, Self.isFileName(name) else {
      throw .invalid("'\(text)' in REQUESTS names no file; its path has to end with a file's name.")
    }
    self.origin = origin
    self.path = path
    fileName = name
  }

  /// Whether the name stands for a file in a folder, whatever the folder.
  static func isFileName(_ name: String) -> Bool {
    !name.isEmpty && name != "." && name != ".." && name.utf8.count <= 255
      && !name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
  }
}
