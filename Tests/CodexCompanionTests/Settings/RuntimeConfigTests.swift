import ResolveKitCore
import Testing

@testable import CodexCompanion

@Suite struct RuntimeConfigTests {
  /// Reads the answer of codex 0.163.0 to `config/read`, shortened.
  private func read(
    _ policy: JSONValue = "on-request", _ sandbox: JSONValue = "read-only", version: String = "sha256:1"
  ) -> JSONValue {
    [
      "config": [
        "model": "gpt-5.5", "approval_policy": policy, "sandbox_mode": sandbox, "model_reasoning_effort": nil,
        "projects": ["/a/b": ["trust_level": "trusted"]],
      ],
      "origins": [:],
      "layers": [
        ["name": ["type": "sessionFlags"], "version": "sha256:0", "config": [:]],
        [
          "name": ["type": "user", "file": "/home/user/.codex/config.toml"], "version": .string(version), "config": [:],
        ],
        ["name": ["type": "system", "file": "/etc/codex/config.toml"], "version": "sha256:2", "config": [:]],
      ],
    ]
  }

  private let written: JSONValue = ["status": "ok", "version": "sha256:3", "overriddenMetadata": nil]

  private func write(_ version: String, _ edits: [(String, String)]) -> RuntimeConfigExchange.Action {
    let edits: [JSONValue] = edits.map {
      ["keyPath": .string($0.0), "value": .string($0.1), "mergeStrategy": "replace"]
    }
    return .call(
      CodexCall(
        method: "config/batchWrite", parameters: ["edits": .array(edits), "expectedVersion": .string(version)]))
  }

  private func exchange(_ body: JSONValue) throws -> RuntimeConfigExchange {
    RuntimeConfigExchange(try RuntimeConfigChange(body: body))
  }

  @Test func bothSettingsAreWrittenOnTheVersionThatWasRead() throws {
    var exchange = try exchange(["approvalPolicy": "never", "sandboxMode": "workspace-write", "other": 1])
    #expect(exchange.start == CodexCall(method: "config/read", parameters: ["includeLayers": true]))
    #expect(
      exchange.received(read())
        == write("sha256:1", [("approval_policy", "never"), ("sandbox_mode", "workspace-write")]))
    #expect(exchange.received(written) == .call(RuntimeConfig.readCall))
    guard case .finish(let config) = exchange.received(read("never", "workspace-write")) else {
      Issue.record("It is not finished.")
      return
    }
    #expect(
      config.json == [
        "approvalPolicy": "never", "sandboxMode": "workspace-write", "model": "gpt-5.5", "modelReasoningEffort": nil,
      ])
    #expect(config.trustLevel(of: "/a/b") == "trusted" && config.trustLevel(of: "/a") == nil)
  }

  @Test func oneSettingLeavesTheOther() throws {
    var exchange = try exchange(["sandboxMode": "danger-full-access", "approvalPolicy": nil])
    #expect(exchange.received(read()) == write("sha256:1", [("sandbox_mode", "danger-full-access")]))
  }

  @Test func aPolicyThatCodexReadsAsAnotherIsWrittenAsThat() throws {
    var exchange = try exchange(["approvalPolicy": "on-failure"])
    #expect(exchange.received(read()) == write("sha256:1", [("approval_policy", "on-request")]))
    _ = exchange.received(written)
    guard case .finish(let config) = exchange.received(read()) else {
      Issue.record("It is not finished.")
      return
    }
    #expect(config.note?.contains("on-failure") == true)
    #expect(config.json.objectValue?["note"] != nil)
  }

  @Test(
    arguments: [
      nil, [], "x", [:], ["approvalPolicy": nil], ["approvalPolicy": 1], ["sandboxMode": ["x"]], ["approvalPolicy": ""],
      ["approvalPolicy": "Never"], ["sandboxMode": "workspaceWrite"], ["approvalPolicy": "granular"],
      ["approvalPolicy": "untrusted"], ["approvalPolicy": "never", "sandboxMode": "none"],
    ] as [JSONValue])
  func whatCodexWouldNotTakeIsRefused(body: JSONValue) {
    let error = #expect(throws: SettingsError.self) { try RuntimeConfigChange(body: body) }
    #expect(error?.code == .invalid && error?.message.isEmpty == false)
  }

  @Test func untrustedIsRefusedWithTheReason() {
    let error = #expect(throws: SettingsError.self) { try RuntimeConfigChange(body: ["approvalPolicy": "untrusted"]) }
    #expect(error?.message.contains("would not start again") == true)
  }

  @Test func whoeverIsFasterIsReadAgain() throws {
    let conflict: JSONValue = ["config_write_error_code": "configVersionConflict"]
    var exchange = try exchange(["approvalPolicy": "never"])
    _ = exchange.received(read())
    #expect(exchange.received(error: -32600, message: "x", data: conflict) == .call(RuntimeConfig.readCall))
    #expect(exchange.received(read(version: "sha256:9")) == write("sha256:9", [("approval_policy", "never")]))
    _ = exchange.received(error: -32600, message: "x", data: conflict)
    _ = exchange.received(read())
    guard case .fail(let error) = exchange.received(error: -32600, message: "x", data: conflict) else {
      Issue.record("It never ends.")
      return
    }
    #expect(error.code == .conflict)
  }

  @Test(
    arguments: [
      (-32600, "Invalid configuration: bad\nin `x`", "configValidationError", SettingsError.Code.invalid),
      (-32603, "failed to load configuration: config.toml:1:26: unclosed array", nil, .codex),
      (-32001, "Server overloaded; retry later.", nil, .busy), (-32600, "", "later", .codex),
    ] as [(Int, String, String?, SettingsError.Code)])
  func anErrorOfCodexIsReportedInOneSentence(
    code: Int, message: String, kind: String?, expected: SettingsError.Code
  ) throws {
    var exchange = try exchange(["approvalPolicy": "never"])
    _ = exchange.received(read())
    let data = kind.map { ["config_write_error_code": .string($0)] as JSONValue }
    guard case .fail(let error) = exchange.received(error: code, message: message, data: data) else {
      Issue.record("It does not fail.")
      return
    }
    #expect(error.code == expected && !error.message.contains("\n"))
    guard case .fail = exchange.received(read()) else {
      Issue.record("It is not over.")
      return
    }
  }

  @Test func aLayerThatHoldsInsteadIsReported() throws {
    var exchange = try exchange(["approvalPolicy": "never"])
    _ = exchange.received(read())
    _ = exchange.received([
      "status": "okOverridden", "version": "sha256:3",
      "overriddenMetadata": ["message": "Overridden by session flags", "effectiveValue": "on-request"],
    ])
    guard case .finish(let config) = exchange.received(read("on-request")) else {
      Issue.record("It is not finished.")
      return
    }
    #expect(config.approvalPolicy == "on-request")
    #expect(config.note == "The change is written and does not hold: Overridden by session flags.")
  }

  @Test(
    arguments: [nil, [], [:], ["config": 1], ["config": [:]], ["config": [:], "layers": [["name": 1]]]] as [JSONValue])
  func anAnswerOfAnotherFormEndsTheExchange(answer: JSONValue) throws {
    var exchange = try exchange(["approvalPolicy": "never"])
    guard case .fail(let error) = exchange.received(answer) else {
      Issue.record("It continues.")
      return
    }
    #expect(error.code == .codex)
  }

  @Test func aPolicyWithPartsIsReportedByItsName() throws {
    let config = try RuntimeConfig(configRead: read(["granular": ["rules": true]]))
    #expect(config.approvalPolicy == "granular")
  }
}
