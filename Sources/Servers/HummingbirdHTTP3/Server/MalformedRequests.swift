import NIOCore
import NIOHTTP2

/// Lets a malformed request of HTTP/2 be its stream's error (RFC 9113 § 8.1.1).
///
/// The stream is reset before the error comes here, and Hummingbird's handler behind this one closes the connection for every
/// error, with the requests of all other streams. NIOHTTP2 itself closes a connection
/// that sends many (RFC 9113 § 10.5).
final class MalformedRequests: ChannelInboundHandler, RemovableChannelHandler, Sendable {
  typealias InboundIn = HTTP2Frame
  typealias InboundOut = HTTP2Frame

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if !Self.isOfStream(error) { context.fireErrorCaught(error) }
  }

  /// Whether it is one of those by which a field section, or the length of a content, is malformed. Others may be the
  /// connection's as well.
  private static func isOfStream(_ error: any Error) -> Bool {
    switch error {
    case is NIOHTTP2Errors.MissingPseudoHeader, is NIOHTTP2Errors.DuplicatePseudoHeader,
      is NIOHTTP2Errors.PseudoHeaderAfterRegularHeader, is NIOHTTP2Errors.UnknownPseudoHeader,
      is NIOHTTP2Errors.UnsupportedPseudoHeader, is NIOHTTP2Errors.InvalidPseudoHeaders,
      is NIOHTTP2Errors.InvalidPseudoHeaderValue, is NIOHTTP2Errors.EmptyPathHeader,
      is NIOHTTP2Errors.InvalidHTTP2HeaderFieldName, is NIOHTTP2Errors.InvalidHTTP2HeaderFieldValue,
      is NIOHTTP2Errors.ForbiddenHeaderField, is NIOHTTP2Errors.TrailersWithoutEndStream,
      is NIOHTTP2Errors.ContentLengthViolated, is NIOHTTP2Errors.ContentLengthHeadersMismatch,
      is NIOHTTP2Errors.ContentLengthHeaderNegative, is NIOHTTP2Errors.ContentLengthHeaderMalformedValue:
      true
    default: false
    }
  }
}
