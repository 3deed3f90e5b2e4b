/// Body of `POST /v1/sessions`. Unknown names and explicit nulls are 422, so absent fields are left out.
public struct SessionCreateRequest: Hashable, Sendable, Codable {
  /// The allow-list of the session; required, even when empty.
  public var availableFunctionNames: [String]
  /// nil means that no session can be reused.
  public var deviceID: String?
  /// The client's description of itself; nil for none.
  public var client: ResolveKitClientContext?
  /// The app's context for the model: at most 50 names and 8 192 bytes as compact JSON.
  public var llmContext: JSONObject?
  /// The chat's locale, a BCP 47 tag of at most 32 characters; nil leaves the choice to ``preferredLocales``.
  public var locale: String?
  /// Locales to choose from, the best first, at most 20.
  public var preferredLocales: [String]?
  /// Whether an active session of the same device may be answered in place of a new one; the server's default is true.
  public var reuseActiveSession: Bool?

  /// Creates a request; a nil property is not sent.
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
