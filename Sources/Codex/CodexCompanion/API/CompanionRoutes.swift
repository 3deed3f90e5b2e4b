import Hummingbird
import HummingbirdHTTP3
import JSONService
import ResolveKitCore

/// The companion's routes.
enum CompanionRoutes {
  static func router(_ services: CompanionServices) -> Router<CompanionContext> {
    let router = Router(context: CompanionContext.self)
    router.add(middleware: BrowserRules())
    router.add(middleware: CompanionErrorMiddleware())
    let table = RouteTable(router) { CompanionError.methodNotAllowed($0) }
    let gate = RequestGate(access: services.access, devices: services.devices, place: services.place)
    let pairing = PairingRoutes(services: services)
    let chats = ChatRoutes(services: services)
    let projects = ProjectRoutes(services: services)
    let history = HistoryRoutes(services: services)
    let streams = StreamRoutes(services: services)
    let sessions = BrowserSessionRoutes(services: services)
    for file in PageFile.all { table.add(RouterPath(file.path), [(.get, gate.withoutToken(file.response))]) }
    table.add(
      "v1/session",
      [
        (.get, gate.paired(sessions.show)), (.post, gate.open(sessions.begin)), (.delete, gate.paired(sessions.end)),
      ])
    table.add("v1/session/renew", [(.post, gate.open(sessions.renew))])
    let dictation = DictationRoutes(services: services)
    table.add("health", [(.get, gate.open { _, _ in .json(["ok": true, "service": "codex-remote-mac-companion"]) })])
    table.add("v1/pairing/request", [(.post, gate.open(pairing.request))])
    table.add("v1/pairing/confirm", [(.post, gate.open(pairing.confirm))])
    table.add("v1/pairing/renew", [(.post, gate.open(pairing.renew))])
    table.add("v1/pairing/revoke", [(.post, gate.paired(pairing.revoke))])
    table.add("v1/chats", [(.get, gate.paired(chats.list)), (.post, gate.paired(chats.create))])
    table.add("v1/chats/:id/activate", [(.post, gate.paired(chats.activate))])
    table.add("v1/chats/:id/messages", [(.get, gate.paired(history.messages)), (.post, gate.paired(chats.send))])
    table.add("v1/chats/:id/timeline", [(.get, gate.paired(history.timeline))])
    table.add("v1/chats/:id/run-state", [(.get, gate.paired(chats.runState))])
    table.add("v1/chats/:id/model", [(.get, gate.paired(chats.model))])
    table.add("v1/chats/:id/pending-approval", [(.get, gate.paired(chats.pendingApproval))])
    table.add("v1/chats/:id/pending-approvals", [(.get, gate.paired(chats.pendingApprovals))])
    table.add("v1/chats/:id/steer", [(.post, gate.paired(chats.steer))])
    table.add("v1/chats/:id/stop", [(.post, gate.paired(chats.stop))])
    table.add("v1/approvals/:id", [(.post, gate.paired(chats.decide))])
    table.add("v1/stream", [(.get, gate.admitted(streams.stream))])
    table.add("v1/projects", [(.get, gate.paired(projects.list))])
    table.add("v1/projects/:id/context", [(.get, gate.paired(projects.context))])
    table.add("v1/projects/:id/git/branches", [(.get, gate.paired(projects.branches))])
    table.add("v1/projects/:id/git/diff", [(.get, gate.paired(projects.diff))])
    table.add("v1/projects/:id/git/checkout", [(.post, gate.paired(projects.checkOut))])
    table.add("v1/projects/:id/git/commit", [(.post, gate.paired(projects.commit))])
    table.add("v1/dictation/transcribe", [(.post, gate.paired(dictation.transcribe))])
    table.add("v1/runtime/config", [(.patch, gate.paired(projects.changeSettings))])
    return router
  }
}
