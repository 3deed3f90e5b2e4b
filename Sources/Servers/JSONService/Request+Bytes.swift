import HTTPTypes
package import Hummingbird
import NIOCore

extension Request {
  /// The whole body; nil where it is larger than `limit` bytes, which is known before it was read where the client says
  /// so.
  package func bytes(upTo limit: Int) async throws -> [UInt8]? {
    if let length = headers[.contentLength].flatMap({ Int($0) }), length > limit { return nil }
    do {
      return Array(try await body.collect(upTo: limit).readableBytesView)
    } catch is NIOTooManyBytesError {
      return nil
    }
  }
}
