package import ResolveKitCore

/// Changes codex's configuration by its own calls: reads it, writes on the version that was read, and reads what holds then.
package struct RuntimeConfigExchange: Sendable {
  /// The next action.
  package enum Action: Hashable, Sendable {
    case call(CodexCall)
    case finish(RuntimeConfig)
    case fail(SettingsError)
  }

  private enum State: Sendable {
    case reading
    case writing
    /// The configuration is written; the sentence names the deviation from the request.
    case rereading(note: String?)
    case over
  }

  /// The number of times that a change is repeated because another writer was faster.
  private static let maximumConflicts = 3

  private let change: RuntimeConfigChange
  private var state = State.reading
  private var conflicts = 0

  package init(_ change: RuntimeConfigChange) { self.change = change }

  /// The first call.
  package var start: CodexCall { RuntimeConfig.readCall }

  /// Codex answered the last call.
  package mutating func received(_ answer: JSONValue) -> Action {
    do throws(SettingsError) {
      switch state {
      case .reading:
        guard let version = try RuntimeConfig(configRead: answer).userVersion else {
          return fail(SettingsError(.codex, "Codex gives no version of the user's configuration; it may be too new."))
        }
        state = .writing
        return .call(change.writeCall(expecting: version))
      case .writing:
        state = .rereading(note: note(on: answer))
        return .call(RuntimeConfig.readCall)
      case .rereading(let note):
        var config = try RuntimeConfig(configRead: answer)
        config.note = note
        state = .over
        return .finish(config)
      case .over:
        return fail(SettingsError(.codex, "The exchange is over."))
      }
    } catch {
      return fail(error)
    }
  }

  /// Codex answered the last call with an error (JSON-RPC 2.0 § 5.1).
  package mutating func received(error code: Int, message: String, data: JSONValue?) -> Action {
    let kind = data?.objectValue?["config_write_error_code"]?.stringValue
    switch (state, kind) {
    case (.writing, "configVersionConflict"):
      conflicts += 1
      guard conflicts < Self.maximumConflicts else {
        return fail(SettingsError(.conflict, "Another program is changing config.toml; try again in a moment."))
      }
      state = .reading
      return .call(RuntimeConfig.readCall)
    case (.writing, "configValidationError"):
      return fail(SettingsError(.invalid, "Codex does not take this setting: \(Self.sentence(message))"))
    case (.reading, _), (.writing, _), (.rereading, _), (.over, _):
      if code == Self.overloaded { return fail(SettingsError(.busy, "Codex is busy; try again in a moment.")) }
      return fail(
        SettingsError(
          .codex,
          "Codex could not change its configuration: \(Self.sentence(message)) Where config.toml is damaged, repair it there."
        ))
    }
  }

  /// The code of codex's answer where it has too much to do.
  private static let overloaded = -32001

  private mutating func fail(_ error: SettingsError) -> Action {
    state = .over
    return .fail(error)
  }

  /// Another layer, as the flags that codex was started with, may hold in the place of what was written.
  private func note(on answer: JSONValue) -> String? {
    guard answer.objectValue?["status"]?.stringValue == "okOverridden" else { return change.note }
    let reason = answer.objectValue?["overriddenMetadata"]?.objectValue?["message"]?.stringValue ?? "overridden"
    let overridden = "The change is written and does not hold: \(Self.sentence(reason))"
    return [change.note, overridden].compactMap { $0 }.joined(separator: " ")
  }

  /// Codex's words in one line, with a full stop.
  private static func sentence(_ text: String) -> String {
    let line = text.prefix(500).split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.hasSuffix(".") ? line : line + "."
  }
}
