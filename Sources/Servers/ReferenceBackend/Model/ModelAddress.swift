import Foundation
import StreamTransport

/// The URL that a model's chat completions are asked for at.
struct ModelAddress: CustomStringConvertible {
  let origin: Origin
  /// Percent-encoded, such as `/v1/chat/completions`.
  let path: String

  /// - Parameter baseURL: an `http` or `https` URL without user, query and fragment.
  ///
  /// Throws ``BackendError`` with `configuration` for anything else.
  init(baseURL: String) throws(BackendError) {
    // Whatever is wrong with it, a password in it is not shown.
    if let parts = URLComponents(string: baseURL),
      parts.user != nil || parts.password != nil || parts.query != nil || parts.fragment != nil
    {
      throw BackendError(
        .configuration,
        "The model's URL has a user, a query or a fragment, which cannot be sent; give one such as \(Self.example).")
    }
    guard let url = URL(string: baseURL), let origin = try? Origin(url) else {
      throw BackendError(
        .configuration, "'\(baseURL)' is no http or https URL; give one such as \(Self.example).")
    }
    self.origin = origin
    let path = url.path(percentEncoded: true)
    self.path = (path.hasSuffix("/") ? String(path.dropLast()) : path) + "/chat/completions"
  }

  private static let example = "https://api.openai.com/v1"

  var description: String { "\(origin)\(path)" }
}
