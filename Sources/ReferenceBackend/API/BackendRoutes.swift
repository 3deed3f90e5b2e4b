import Hummingbird
import ResolveKitCore

/// The session contract's routes.
enum BackendRoutes {
  /// - Parameter files: A folder whose files are served where the contract has no route; nil for none.
  static func router(_ services: BackendServices, files: String?) -> Router<BackendContext> {
    let router = Router(context: BackendContext.self)
    router.add(middleware: NotFoundMiddleware())
    if let files { router.add(middleware: FileMiddleware(files, searchForIndexHtml: true)) }
    let table = RouteTable(router: router)
    let sessions = SessionRoutes(services: services)
    let functions = FunctionRoutes(services: services)
    let messages = MessageRoutes(services: services)
    let events = EventRoutes(services: services)
    table.add("health", [(.get, { _, _ in .json(["status": "ok"]) })])
    table.add("v1/sdk/compat", [(.get, { _, _ in compatibility(services) })])
    table.add("v1/functions", [(.get, functions.active)])
    table.add("v1/functions/bulk", [(.put, functions.replace)])
    table.add("v1/functions/eligible", [(.get, functions.eligible)])
    table.add("v1/sessions", [(.post, sessions.open)])
    table.add("v1/sessions/:session_id/context", [(.patch, sessions.changeContext)])
    table.add("v1/sessions/:session_id/messages", [(.get, messages.history), (.post, messages.begin)])
    table.add("v1/sessions/:session_id/tool-results", [(.post, messages.takeResult)])
    table.add("v1/sessions/:session_id/events", [(.get, events.stream)])
    table.add("v1/sessions/:session_id/turns/:turn_id/cancel", [(.post, messages.cancel)])
    return router
  }

  /// Which clients may come; asked for before there is a key.
  private static func compatibility(_ services: BackendServices) -> Response {
    .json([
      "minimum_sdk_version": "1.0.0", "supported_sdk_major_versions": [1],
      "client_requirements": ["client.platform", "client.os_version", "client.app_version"],
      "server_time": .string(services.now().offset),
    ])
  }
}
