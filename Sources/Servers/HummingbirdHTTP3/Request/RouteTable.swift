package import HTTPTypes
package import Hummingbird

/// Adds routes so that a known path with another method is refused as such, and not as unknown.
package struct RouteTable<Context: RequestContext> {
  package typealias Handler = @Sendable (Request, Context) async throws -> Response

  private static var methods: [HTTPRequest.Method] { [.get, .head, .post, .put, .patch, .delete, .options, .trace] }

  private let router: Router<Context>
  private let methodNotAllowed: @Sendable ([HTTPRequest.Method]) -> any Error

  /// - Parameter methodNotAllowed: makes the error, of status 405, that names the methods that a path has.
  package init(
    _ router: Router<Context>, methodNotAllowed: @escaping @Sendable ([HTTPRequest.Method]) -> any Error
  ) {
    self.router = router
    self.methodNotAllowed = methodNotAllowed
  }

  package func add(_ path: RouterPath, _ handlers: [(HTTPRequest.Method, Handler)]) {
    let allowed = handlers.map(\.0)
    for (method, handler) in handlers { router.on(path, method: method, use: handler) }
    for method in Self.methods where !allowed.contains(method) {
      router.on(path, method: method) { [methodNotAllowed] (_, _) -> Response in throw methodNotAllowed(allowed) }
    }
  }
}
