public import ResolveKitCore

/// Body of `PATCH /v1/sessions/{id}/context`; what is nil stays as it is at the server.
public struct ContextUpdateRequest: Hashable, Sendable, Encodable {
  /// Required by the contract and always overwritten.
  public var availableFunctionNames: [String]
  public var client: ResolveKitClientContext?
  public var llmContext: JSONObject?
  public var locale: String?

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
