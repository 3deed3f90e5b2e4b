package import ResolveKitCore

/// The settings of codex that a client sees. nil is codex's own default.
package struct RuntimeConfig: Hashable, Sendable {
  package var approvalPolicy: String?
  package var sandboxMode: String?
  package var model: String?
  package var modelReasoningEffort: String?
  /// The deviation from the request, in a sentence.
  package var note: String?

  private let projects: JSONObject
  /// The version of the user's file, which a change has to name.
  let userVersion: String?

  /// The answer to codex's `config/read`. Throws ``SettingsError`` where it is none.
  package init(configRead answer: JSONValue) throws(SettingsError) {
    guard let answer = answer.objectValue, let config = answer["config"]?.objectValue else {
      throw SettingsError(
        .codex, "Codex gave its configuration in a form that is not known; its version may be too new.")
    }
    approvalPolicy = Self.name(config["approval_policy"])
    sandboxMode = Self.name(config["sandbox_mode"])
    model = Self.name(config["model"])
    modelReasoningEffort = Self.name(config["model_reasoning_effort"])
    projects = config["projects"]?.objectValue ?? [:]
    let layers = answer["layers"]?.arrayValue?.compactMap(\.objectValue) ?? []
    let user = layers.first { $0["name"]?.objectValue?["type"]?.stringValue == "user" }
    userVersion = user?["version"]?.stringValue
  }

  /// The call that ``init(configRead:)`` takes the answer of.
  package static let readCall = CodexCall(method: "config/read", parameters: ["includeLayers": true])

  /// Codex's trust in a folder: `trusted` or `untrusted`; nil where nobody has decided.
  package func trustLevel(of folder: String) -> String? {
    Self.name(projects[folder]?.objectValue?["trust_level"])
  }

  package var json: JSONValue {
    var members: JSONObject = [
      "approvalPolicy": Self.json(approvalPolicy), "sandboxMode": Self.json(sandboxMode), "model": Self.json(model),
      "modelReasoningEffort": Self.json(modelReasoningEffort),
    ]
    members["note"] = note.map { .string($0) }
    return .object(members)
  }

  private static func json(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  /// A policy with parts is an object with one member, which is its name.
  private static func name(_ value: JSONValue?) -> String? {
    switch value {
    case .string(let text): text
    case .object(let members): members.keys.min()
    case .number, .bool, .array, .null, nil: nil
    }
  }
}
