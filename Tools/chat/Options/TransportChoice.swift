import ArgumentParser
import ResolveKitUI

/// The transports that `--transport` allows.
enum TransportChoice: String, CaseIterable, ExpressibleByArgument {
  /// HTTP/3 first, HTTP/1.1 where UDP does not pass.
  case auto
  case h3
  case h1

  var resolveKitTransport: ResolveKitTransport {
    switch self {
    case .auto: .automatic
    case .h3: .http3
    case .h1: .http1
    }
  }
}
