import NIOCore
import TransportRecords

/// Asks a proxy for a tunnel (CONNECT, RFC 9110 § 9.3.6) before the rest of the pipeline learns that there is a
/// connection; afterwards it lets everything through.
final class ProxyTunnelHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum State {
    case connecting
    case asking(ProxyAnswer)
    case open
    case failed
  }

  private let proxy: HTTPProxy
  private let origin: Origin
  private let onFailure: (TransportError) -> Void
  private var state = State.connecting

  /// - Parameter onFailure: called once where there will be no tunnel; closes the channel.
  init(proxy: HTTPProxy, origin: Origin, onFailure: @escaping (TransportError) -> Void) {
    self.proxy = proxy
    self.origin = origin
    self.onFailure = onFailure
  }

  func channelActive(context: ChannelHandlerContext) {
    guard let request else {
      return fail(.invalidRequest, "'\(origin.host)' is no host's name in ASCII, which a proxy needs.")
    }
    state = .asking(ProxyAnswer())
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: request)), promise: nil)
    context.read()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch state {
    case .connecting, .failed: break
    case .open: context.fireChannelRead(data)
    case .asking(let answer):
      // The answer is held by one name only, so that it grows in place.
      state = .connecting
      state = read(answer, unwrapInboundIn(data), context)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    switch state {
    case .asking: context.read()
    case .connecting, .open, .failed: context.fireChannelReadComplete()
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    if case .asking = state {
      fail(.connectionLost, "The proxy \(proxy) closed the connection before it answered CONNECT.")
    }
    context.fireChannelInactive()
  }

  private var request: String? {
    guard origin.host.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    let host = origin.host.contains(":") ? "[\(origin.host)]" : origin.host
    let authority = "\(host):\(origin.port)"
    let credentials = proxy.authorization.map { "proxy-authorization: \($0)\r\n" } ?? ""
    return "CONNECT \(authority) HTTP/1.1\r\nhost: \(authority)\r\n\(credentials)\r\n"
  }

  /// The state after these bytes.
  private func read(_ answer: ProxyAnswer, _ bytes: ByteBuffer, _ context: ChannelHandlerContext) -> State {
    var answer = answer
    switch answer.read(bytes.readableBytesView) {
    case .incomplete: return .asking(answer)
    case .answered(200..<300, let rest):
      open(ByteBuffer(bytes: rest), context)
      return .open
    case .answered(let status, _): fail(Self.code(status), words(status))
    case .tooLong:
      fail(
        .limitExceeded, "The proxy \(proxy) answered CONNECT with more than \(ProxyAnswer.limit) bytes of fields.")
    case .malformed: fail(.protocolViolation, "The proxy \(proxy) answered CONNECT with what is no HTTP/1.1.")
    }
    return .failed
  }

  /// From here on the rest of the pipeline has the connection; what came behind the answer is the origin's.
  private func open(_ rest: ByteBuffer, _ context: ChannelHandlerContext) {
    state = .open
    context.fireChannelActive()
    if rest.readableBytes > 0 {
      context.fireChannelRead(wrapInboundOut(rest))
      context.fireChannelReadComplete()
    }
  }

  private func fail(_ code: TransportError.Code, _ message: String) {
    state = .failed
    onFailure(TransportError(code, message))
  }

  private func words(_ status: Int) -> String {
    switch status {
    case 407 where proxy.authorization == nil:
      "The proxy \(proxy) asks who you are (407); set \(proxy.source)=http://USER:PASSWORD@\(proxy)."
    case 407: "The proxy \(proxy) does not accept the user and password in \(proxy.source) (407)."
    case 403: "The proxy \(proxy) forbids connections to \(origin.authority) (403)."
    case 500...599: "The proxy \(proxy) cannot reach \(origin.authority) (\(status))."
    default: "The proxy \(proxy) makes no tunnel to \(origin.authority) (\(status)); is it an HTTP proxy?"
    }
  }

  private static func code(_ status: Int) -> TransportError.Code {
    switch status {
    case 500...599: .unreachable
    default: .connectionRefused
    }
  }
}
