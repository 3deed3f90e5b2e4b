import ResolveKitCore

/// The settings that a chat's next turn brings, from codex's own configuration.
struct TurnSettings: Sendable {
  let link: any CodexLink

  /// codex's configuration as it holds in a folder. Throws ``ChatError`` and ``SettingsError``.
  func current(in folder: String) async throws -> RuntimeConfig {
    try RuntimeConfig(configRead: .object(try await read(in: folder)))
  }

  /// The parameters of `turn/start` that give a chat what the configuration allows in its folder. Throws ``ChatError``.
  func ofTurns(in folder: String) async throws -> JSONObject {
    Self.parameters(try await read(in: folder)["config"]?.objectValue ?? [:], folder: folder)
  }

  /// The model of a chat's turns and its effort, as codex has them now: a chat may have others than the configuration.
  /// Throws ``ChatError``.
  func model(ofChat id: String) async throws -> JSONObject {
    do {
      let thread = try await link.call("thread/read", ["threadId": .string(id)])["thread"]?.objectValue ?? [:]
      return ["model": thread["model"] ?? .null, "modelReasoningEffort": thread["reasoningEffort"] ?? .null]
    } catch {
      throw ChatError(error)
    }
  }

  /// Changes the configuration by codex's own calls. Throws ``SettingsError``.
  func change(_ change: RuntimeConfigChange) async throws -> RuntimeConfig {
    var exchange = RuntimeConfigExchange(change)
    var call = exchange.start
    while true {
      let action: RuntimeConfigExchange.Action
      do {
        action = exchange.received(.object(try await link.call(call.method, call.parameters)))
      } catch let error as CodexCallError {
        guard case .refused(let code) = error.code else { throw ChatError(error) }
        action = exchange.received(error: code, message: error.message, data: .object(error.data))
      }
      switch action {
      case .call(let next): call = next
      case .finish(let config): return config
      case .fail(let error): throw error
      }
    }
  }

  private func read(in folder: String) async throws -> JSONObject {
    do {
      return try await link.call("config/read", ["cwd": .string(folder), "includeLayers": true])
    } catch {
      throw ChatError(error)
    }
  }

  /// Settings that are not given are left to codex, whose default is read-only. A chat's settings stay until a turn
  /// brings others.
  static func parameters(_ config: JSONObject, folder: String) -> JSONObject {
    var parameters: JSONObject = [:]
    switch config["approval_policy"]?.stringValue {
    // codex reads it so itself, and takes the old word in no call.
    case "on-failure": parameters["approvalPolicy"] = "on-request"
    case let policy?: parameters["approvalPolicy"] = .string(policy)
    case nil: break
    }
    switch config["sandbox_mode"]?.stringValue {
    case "workspace-write":
      let details = config["sandbox_workspace_write"]?.objectValue ?? [:]
      parameters["sandboxPolicy"] = [
        "type": "workspaceWrite", "writableRoots": details["writable_roots"] ?? [],
        "networkAccess": details["network_access"] ?? false,
      ]
    case "danger-full-access": parameters["sandboxPolicy"] = ["type": "dangerFullAccess"]
    case "read-only": parameters["sandboxPolicy"] = ["type": "readOnly"]
    default: break
    }
    return parameters
  }
}
