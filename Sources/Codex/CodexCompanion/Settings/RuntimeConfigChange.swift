package import ResolveKitCore

/// The request of `PATCH /v1/runtime/config`: another approval policy, another sandbox, or both.
package struct RuntimeConfigChange: Hashable, Sendable {
  private static let policies = ["on-request", "never"]
  private static let sandboxes = ["read-only", "workspace-write", "danger-full-access"]

  private let approvalPolicy: String?
  private let sandboxMode: String?
  /// The deviation from the request, in a sentence.
  let note: String?

  /// Throws ``SettingsError`` where the body asks for nothing, or for what codex would not take.
  package init(body: JSONValue) throws(SettingsError) {
    guard case .object(let members) = body else { throw SettingsError(.invalid, "Expected a JSON object") }
    let policy = try Self.text("approvalPolicy", members)
    sandboxMode = try Self.text("sandboxMode", members)
    guard policy != nil || sandboxMode != nil else {
      throw SettingsError(.invalid, "Expected at least one of approvalPolicy and sandboxMode")
    }
    switch policy {
    case "untrusted":
      throw SettingsError(
        .invalid, "Codex would not start again with the approval policy 'untrusted'; use 'on-request' or 'never'.")
    case "on-failure":
      approvalPolicy = "on-request"
      note = "Codex reads the approval policy 'on-failure' as 'on-request', so that is what was written."
    default:
      if let policy { try Self.demand(policy, in: Self.policies, "approval policy") }
      approvalPolicy = policy
      note = nil
    }
    if let sandboxMode { try Self.demand(sandboxMode, in: Self.sandboxes, "sandbox mode") }
  }

  /// The call that makes the change where the user's file still has this version. Codex changes the lines of these keys and
  /// no others.
  func writeCall(expecting version: String) -> CodexCall {
    let values = [("approval_policy", approvalPolicy), ("sandbox_mode", sandboxMode)]
    let edits: [JSONValue] = values.compactMap { key, value in
      value.map { ["keyPath": .string(key), "value": .string($0), "mergeStrategy": "replace"] }
    }
    return CodexCall(
      method: "config/batchWrite", parameters: ["edits": .array(edits), "expectedVersion": .string(version)])
  }

  private static func text(_ name: String, _ members: JSONObject) throws(SettingsError) -> String? {
    switch members[name] {
    case nil, .null: nil
    case .string(let text): text
    case .number, .bool, .array, .object: throw SettingsError(.invalid, "Expected a string for \(name)")
    }
  }

  private static func demand(_ value: String, in known: [String], _ what: String) throws(SettingsError) {
    guard known.contains(value) else {
      throw SettingsError(
        .invalid, "Unsupported \(what): \(String(value.prefix(40)).visibleJSON); use \(known.joined(separator: ", ")).")
    }
  }
}
