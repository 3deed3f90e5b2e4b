import Hummingbird
import JSONService
import Logging
import NIOCore

/// A request's context: where it came from.
struct RuntimeContext: RequestContext, RemoteAddressRequestContext {
  var coreContext: CoreRequestContextStorage
  let remoteAddress: SocketAddress?

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    remoteAddress = source.channel.remoteAddress
  }

  /// The address by which the requests of callers who are not signed in are counted.
  var sourceAddress: SourceAddress { SourceAddress(remoteAddress?.ipAddress ?? "") }
}
