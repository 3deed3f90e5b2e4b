import HTTPTypes
import Hummingbird

/// Adds routes so that a known path with another method answers 405 and not 404.
struct RouteTable {
  typealias Handler = @Sendable (Request, CompanionContext) async throws -> Response

  let router: Router<CompanionContext>

  private static let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options, .trace]

  func add(_ path: RouterPath, _ handlers: [(HTTPRequest.Method, Handler)]) {
    let allowed = handlers.map(\.0)
    for (method, handler) in handlers { router.on(path, method: method, use: handler) }
    for method in Self.methods where !allowed.contains(method) {
      router.on(path, method: method) { (_, _) -> Response in throw CompanionError.methodNotAllowed(allowed) }
    }
  }
}
