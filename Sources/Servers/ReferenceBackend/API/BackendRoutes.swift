import Hummingbird
import HummingbirdHTTP3
import JSONService
import ResolveKitCore

/// The session contract's routes.
enum BackendRoutes {
  /// - Parameter files: A folder whose files are served where the contract has no route; nil for none.
  static func router(_ services: BackendServices, files: String?) -> Router<BackendContext> {
    let router = Router(context: BackendContext.self)
    router.add(middleware: ErrorMiddleware())
    router.add(middleware: FaultMiddleware(faults: services.faults))
    if let files {
      router.add(middleware: FileMiddleware(fileProvider: FolderFiles(files), searchForIndexHtml: true))
    }
    let table = RouteTable(router) { APIError.methodNotAllowed($0) }
    let sessions = SessionRoutes(services: services)
    let functions = FunctionRoutes(services: services)
    let messages = MessageRoutes(services: services)
    let events = EventRoutes(services: services)
    let sdk = SDKRoutes(services: services)
    let feedback = FeedbackRoutes(services: services)
    let operators = OperatorRoutes(services: services)
    table.add("health", [(.get, { _, _ in .json(["status": "ok"]) })])
    table.add("v1/sdk/compat", [(.get, sdk.compatibility)])
    table.add("v1/sdk/chat-theme", [(.get, sdk.theme)])
    table.add("v1/sdk/client-token", [(.post, sdk.clientToken)])
    table.add("v1/pricing/model", [(.get, PricingRoutes.model)])
    table.add("v1/functions", [(.get, functions.active)])
    table.add("v1/functions/bulk", [(.put, functions.replace)])
    table.add("v1/functions/eligible", [(.get, functions.eligible)])
    table.add("v1/sessions", [(.post, sessions.open)])
    table.add("v1/sessions/:session_id/context", [(.patch, sessions.changeContext)])
    table.add("v1/sessions/:session_id/localization", [(.get, sessions.localization)])
    table.add("v1/sessions/:session_id/feedback", [(.post, feedback.submit)])
    table.add("v1/sessions/:session_id/messages", [(.get, messages.history), (.post, messages.begin)])
    table.add("v1/sessions/:session_id/tool-results", [(.post, messages.takeResult)])
    table.add("v1/sessions/:session_id/events", [(.get, events.stream)])
    table.add("v1/sessions/:session_id/turns/:turn_id/cancel", [(.post, messages.cancel)])
    table.add("internal/sessions/:session_id/human-message", [(.post, operators.say)])
    table.add("internal/sessions/:session_id/feedback-requested", [(.post, operators.askForFeedback)])
    table.add("internal/sessions/:session_id/session-escalated", [(.post, operators.escalate)])
    return router
  }
}
