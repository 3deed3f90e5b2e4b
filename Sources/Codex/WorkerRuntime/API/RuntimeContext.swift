import Hummingbird
import Logging
import NIOCore

/// A request's context: where it came from.
struct RuntimeContext: RequestContext, RemoteAddressRequestContext {
  var coreContext: CoreRequestContextStorage
  let remoteAddress: SocketAddress?
  /// The id by which both sides' logs name the request.
  var requestID = ""

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    remoteAddress = source.channel.remoteAddress
  }

  /// The source's IP address, without its port; what limits are counted by.
  var sourceAddress: String { remoteAddress?.ipAddress ?? "unknown" }
}
