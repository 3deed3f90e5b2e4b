import ResolveKitCore

extension AppServerConnection {
  /// Introduces the client to codex, once and before any other call.
  package func initialize(
    _ client: AppServerClient, within time: Duration = .seconds(15)
  ) async throws -> AppServerGreeting {
    var info: JSONObject = ["name": .string(client.name), "version": .string(client.version)]
    info["title"] = client.title.map { .string($0) }
    var capabilities: JSONObject = ["experimentalApi": .bool(client.experimentalApi)]
    if !client.unwanted.isEmpty {
      capabilities["optOutNotificationMethods"] = .array(client.unwanted.map { .string($0) })
    }
    let params: JSONValue = ["clientInfo": .object(info), "capabilities": .object(capabilities)]
    let greeting = AppServerGreeting(try await call("initialize", params, within: time))
    try await notify("initialized")
    return greeting
  }
}
