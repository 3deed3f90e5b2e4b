/// Body of `POST /v1/sessions`. Unknown names and explicit nulls are 422, so absent fields are left out.
public struct SessionCreateRequest: Hashable, Sendable, Codable {
  /// The allow-list of the session; required, even when empty.
  public var availableFunctionNames: [String]
  /// nil means that no session can be reused.
  public var deviceID: String?
  public var client: ResolveKitClientContext?
  /// At most 50 names and 8 192 bytes as compact JSON.
  public var llmContext: JSONObject?
  public var locale: String?
  public var preferredLocales: [String]?
  public var reuseActiveSession: Bool?

  public init(
    availableFunctionNames: [String], deviceID: String? = nil, client: ResolveKitClientContext? = nil,
    llmContext: JSONObject? = nil, locale: String? = nil, preferredLocales: [String]? = nil,
    reuseActiveSession: Bool? = nil
  ) {
    self.availableFunctionNames = availableFunctionNames
    self.deviceID = deviceID
    self.client = client
    self.llmContext = llmContext
    self.locale = locale
    self.preferredLocales = preferredLocales
    self.reuseActiveSession = reuseActiveSession
  }

  private enum CodingKeys: String, CodingKey {
    case client, locale
    case availableFunctionNames = "available_function_names"
    case deviceID = "device_id"
    case llmContext = "llm_context"
    case preferredLocales = "preferred_locales"
    case reuseActiveSession = "reuse_active_session"
  }
}
