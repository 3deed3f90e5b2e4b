import HTTPTypes
import StreamTransport

/// The id under which both sides log one request.
enum RequestIdentity {
  static let field = RequestID.name

  /// The client's `x-request-id` where it is fit to be logged, else a new one.
  static func of(_ request: HTTPRequest) -> String {
    guard let id = request.headerFields[field], isFit(id) else { return RequestID.make() }
    return id
  }

  /// A peer chooses the value: what goes into a log must be short and unable to imitate another line of it.
  private static func isFit(_ id: String) -> Bool {
    (1...128).contains(id.utf8.count) && id.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}
