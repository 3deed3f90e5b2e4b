import Hummingbird
import Logging
import NIOCore

/// A request's context: where it came from.
struct CompanionContext: RequestContext, RemoteAddressRequestContext {
  var coreContext: CoreRequestContextStorage
  let remoteAddress: SocketAddress?

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    remoteAddress = source.channel.remoteAddress
  }

  /// The source's IP address, without its port; what limits are counted by.
  var sourceAddress: String { remoteAddress?.ipAddress ?? "unknown" }
}
