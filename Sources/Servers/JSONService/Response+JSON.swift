package import HTTPTypes
package import Hummingbird
import NIOCore
package import ResolveKitCore

extension Response {
  /// A JSON body, which no cache keeps.
  package static func json(
    _ value: JSONValue, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) -> Response {
    json(bytes: value.serialized(), status: status, headers: headers)
  }

  /// A body that is JSON already.
  package static func json(
    bytes: [UInt8], status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) -> Response {
    var headers = headers
    headers[.contentType] = "application/json"
    headers[.cacheControl] = "no-store"
    return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}
