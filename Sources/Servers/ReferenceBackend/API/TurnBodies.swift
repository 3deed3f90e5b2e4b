import ResolveKitCore

/// The bodies that begin a turn and bring a tool's result. Unknown members are ignored in both.
enum TurnBodies {
  struct Message {
    var sessionID: String
    var text: String
    var requestID: String
    var locale: String?
  }

  struct Result {
    var call: CallKey
    var idempotencyKey: String
    var outcome: CallOutcome
  }

  static let textLimit = 32_768

  static func message(
    _ body: JSONBody, _ id: Swift.Result<String, ValidationFailure>
  ) throws(APIError) -> Message {
    var reader = ObjectReader(try body.object())
    if case .failure(let failure) = id { reader.add([failure.issue]) }
    let text = reader.string("text", length: 1...textLimit, isRequired: true) ?? ""
    if text.utf8.count > textLimit {
      reader.report("value_error", "text", "Value error, text must be at most \(textLimit) UTF-8 bytes")
    }
    let requestID = reader.string("request_id", length: 1...255, isRequired: true) ?? ""
    let locale = reader.string("locale", length: 0...32, null: .absent)
    try reader.check()
    guard case .success(let id) = id else { throw APIError.sessionNotFound }
    return Message(
      sessionID: id, text: text, requestID: requestID,
      locale: locale.map { ResolveKitLocaleResolver.resolve(locale: $0) })
  }

  static func result(
    _ body: JSONBody, _ id: Swift.Result<String, ValidationFailure>
  ) throws(APIError) -> Result {
    var reader = ObjectReader(try body.object())
    if case .failure(let failure) = id { reader.add([failure.issue]) }
    let turnID = reader.string("turn_id", length: 0...255, isRequired: true) ?? ""
    let key = reader.string("idempotency_key", length: 1...255, isRequired: true) ?? ""
    let callID = reader.string("call_id", length: 1...255, isRequired: true) ?? ""
    let status = reader.string("status", length: 1...32, isRequired: true) ?? ""
    let value = reader.value("result", null: .absent)
    let error = reader.string("error", length: 0...4_096, null: .absent, allowsNUL: true)
    try reader.check()
    guard case .success(let id) = id else { throw APIError.sessionNotFound }
    let call = CallKey(sessionID: id, turnID: turnID.lowercased(), callID: callID)
    let outcome: CallOutcome =
      status == "success"
      ? .success(value?.stringValue ?? body.text(of: "result") ?? "null") : .failure(error ?? "Unknown error")
    return Result(call: call, idempotencyKey: key, outcome: outcome)
  }
}
