/// Body of `POST /v1/sessions/{id}/tool-results`.
public struct ResolveKitToolResultPayload: Hashable, Sendable, Codable {
  /// The longest error, in Unicode scalars, that the backend accepts; a longer one is always refused with 422.
  public static let maximumErrorLength = 4096
  /// Longest `call_id` and `idempotency_key` in Unicode scalars.
  public static let maximumKeyLength = 255

  /// The turn of the call. The backend uses it to recognize repetitions, together with the two ids below.
  public let turnID: String
  /// The same for every repetition of this result; 1 to 255 characters.
  public let idempotencyKey: String
  /// The call that is answered; 1 to 255 characters.
  public let callID: String
  /// Whether the model gets ``result`` or ``error``.
  public let status: ResolveKitToolResultStatus
  /// The tool's value; the model gets a string as it is, anything else as JSON. Nil for an error.
  public let result: JSONValue?
  /// A sentence for the model, at most ``maximumErrorLength`` characters; nil for a success.
  public let error: String?

  /// A result or an error; the error is cut at `maximumErrorLength`, with "…" as the mark of the cut.
  public init(
    turnID: String, idempotencyKey: String, callID: String, status: ResolveKitToolResultStatus,
    result: JSONValue? = nil, error: String? = nil
  ) {
    self.turnID = turnID
    self.idempotencyKey = idempotencyKey
    self.callID = callID
    self.status = status
    self.result = result
    self.error = error.map(Self.cut)
  }

  private static func cut(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard scalars.count > maximumErrorLength else { return text }
    return String(String.UnicodeScalarView(scalars.prefix(maximumErrorLength - 1))) + "…"
  }

  private enum CodingKeys: String, CodingKey {
    case status, result, error
    case turnID = "turn_id"
    case idempotencyKey = "idempotency_key"
    case callID = "call_id"
  }
}
