import Foundation

/// Lists of C strings that end with a null pointer, for the time of a call.
enum CStrings {
  typealias List = UnsafePointer<UnsafeMutablePointer<CChar>?>

  static func with<Result>(_ first: [String], _ second: [String], _ body: (List, List) -> Result) -> Result {
    let lists = [first, second].map { strings in strings.map { strdup($0) } + [nil] }
    defer { for string in lists.joined() { free(string) } }
    return lists[0].withUnsafeBufferPointer { first in
      lists[1].withUnsafeBufferPointer { second in
        // Each has at least its null pointer.
        guard let first = first.baseAddress, let second = second.baseAddress else {
          preconditionFailure("An array with an element has an address.")
        }
        return body(first, second)
      }
    }
  }

  static func with<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
    guard let text else { return body(nil) }
    return text.withCString { body($0) }
  }
}
