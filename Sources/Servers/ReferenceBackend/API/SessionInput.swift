import ResolveKitCore

/// The bodies that make and change sessions.
enum SessionInput {
  private static let clientFields = [
    "platform": 32, "os_name": 32, "os_version": 64, "app_version": 64, "app_build": 64, "sdk_name": 64,
    "sdk_version": 64,
  ]

  static func opening(_ body: JSONBody) throws(APIError) -> SessionDraft {
    var reader = ObjectReader(try body.object())
    var draft = common(&reader, contextNull: .rejected)
    draft.deviceID = reader.string("device_id", length: 0...255, null: .absent)
    let preferred = reader.strings("preferred_locales", limit: 20, length: 0...255) ?? []
    draft.reusesActive = reader.bool("reuse_active_session") ?? true
    reader.forbidOthers()
    try reader.check()
    if draft.locale != nil || !preferred.isEmpty {
      draft.locale = ResolveKitLocaleResolver.resolve(locale: draft.locale, preferredLocales: preferred)
    }
    return draft
  }

  static func change(
    _ body: JSONBody, _ id: Result<String, ValidationFailure>
  ) throws(APIError) -> (id: String, draft: SessionDraft) {
    var reader = ObjectReader(try body.object())
    if case .failure(let failure) = id { reader.add([failure.issue]) }
    var draft = common(&reader, contextNull: .absent)
    reader.forbidOthers()
    try reader.check()
    guard case .success(let id) = id else { throw APIError.sessionNotFound }
    if let locale = draft.locale { draft.locale = ResolveKitLocaleResolver.resolve(locale: locale) }
    return (id, draft)
  }

  private static func common(_ reader: inout ObjectReader, contextNull: ObjectReader.Nullability) -> SessionDraft {
    var draft = SessionDraft(
      functionNames: reader.strings("available_function_names", limit: 512, length: 1...255, isRequired: true) ?? [])
    draft.client = client(&reader)
    draft.llmContext = modelContext(&reader, contextNull)
    draft.locale = reader.string("locale", length: 0...32, null: .absent)
    return draft
  }

  private static func client(_ reader: inout ObjectReader) -> JSONObject? {
    guard let object = reader.object("client", null: .absent) else { return nil }
    var inner = ObjectReader(object, at: reader.location + ["client"])
    var client: JSONObject = [:]
    for (name, limit) in clientFields {
      if let text = inner.string(name, length: 0...limit, null: .absent) { client[name] = .string(text) }
    }
    inner.forbidOthers()
    reader.add(inner.issues)
    return client
  }

  private static func modelContext(
    _ reader: inout ObjectReader, _ null: ObjectReader.Nullability
  ) -> JSONObject? {
    guard let context = reader.object("llm_context", null: null) else { return nil }
    let isTooLarge =
      context.count > 50 || context.keys.contains { $0.unicodeScalars.count > 64 }
      || JSONValue.object(context).serialized().count > 8_192
    if isTooLarge {
      reader.report(
        "value_error", "llm_context", "Value error, llm_context has at most 50 keys of 64 characters and 8192 bytes")
    }
    return context
  }
}
