package import HTTPTypes

/// A request that an HTTP/3 server has answered itself, before any handler saw it.
package struct HTTP3ServerRefusal: Sendable {
  package let request: HTTPRequest
  /// The client's address and port.
  package let remoteAddress: String
  package let isResumed: Bool
  package let isEarlyData: Bool
  package let status: Int
}
