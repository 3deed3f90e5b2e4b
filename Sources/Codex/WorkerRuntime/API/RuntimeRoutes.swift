import Hummingbird
import HummingbirdHTTP3
import JSONService
import ResolveKitCore

/// The contract's routes.
enum RuntimeRoutes {
  typealias UserHandler = @Sendable (Request, RuntimeContext, Principal) async throws -> Response

  static func router(_ services: RuntimeServices) -> Router<RuntimeContext> {
    let router = Router(context: RuntimeContext.self)
    router.add(middleware: WorkerErrorMiddleware(dialect: services.dialect))
    let table = RouteTable(router) { APIFault.methodNotAllowed($0) }
    let auth = AuthRoutes(services: services)
    let workers = WorkerRoutes(services: services)
    let stream = StreamRoute(services: services)
    // A handler for users alone.
    func own(_ handler: @escaping UserHandler) -> RouteTable<RuntimeContext>.Handler {
      { request, context in
        let user = try await services.accounts.authenticate(request.headers[.authorization])
        return try await handler(request, context, user)
      }
    }
    table.add("health", [(.get, { _, _ in .json(["ok": true, "service": "workers"]) })])
    table.add("api/auth/email", [(.post, auth.email)])
    table.add("api/auth/verify", [(.post, auth.verify)])
    let base = "api/runtime/codex/workers"
    table.add("\(base)", [(.get, own(workers.list)), (.post, own(workers.create))])
    table.add("\(base)/:id", [(.get, own(workers.snapshot))])
    table.add("\(base)/:id/stream", [(.get, own(stream.stream))])
    table.add("\(base)/:id/requests", [(.post, own(workers.ask))])
    table.add("\(base)/:id/events", [(.post, own(workers.post))])
    table.add("\(base)/:id/stop", [(.post, own(workers.stop))])
    return router
  }
}
