public import ResolveKitCore

/// Body of `PATCH /v1/sessions/{id}/context`; what is nil stays as it is at the server.
public struct ContextUpdateRequest: Hashable, Sendable, Encodable {
  /// Required by the contract and always overwritten.
  public var availableFunctionNames: [String]
  /// The client's description of itself.
  public var client: ResolveKitClientContext?
  /// The app's context for the model: at most 50 names and 8 192 bytes as compact JSON.
  public var llmContext: JSONObject?
  /// A BCP 47 tag of at most 32 characters.
  public var locale: String?

  /// Creates an update of the allow-list, and of what is not nil beside it.
  public init(
    availableFunctionNames: [String], client: ResolveKitClientContext? = nil, llmContext: JSONObject? = nil,
    locale: String? = nil
  ) {
    self.availableFunctionNames = availableFunctionNames
    self.client = client
    self.llmContext = llmContext
    self.locale = locale
  }

  private enum CodingKeys: String, CodingKey {
    case client, locale
    case availableFunctionNames = "available_function_names"
    case llmContext = "llm_context"
  }
}
