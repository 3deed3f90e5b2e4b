/// A function as the backend keeps it (`FunctionOut`).
public struct RegisteredFunction: Hashable, Sendable, Codable {
  /// The backend's id of the function, a UUID.
  public var id: String
  /// The app that registered the function, a UUID.
  public var appID: String?
  /// The name that the model calls.
  public var name: String
  /// The description that the app registered.
  public var description: String?
  /// The description that an operator put in its place; nil for none.
  public var descriptionOverride: String?
  /// The JSON Schema of the arguments.
  public var parametersSchema: JSONObject?
  /// Whether the function is in the app's latest registration, which replaces all earlier ones.
  public var isActive: Bool?
  /// Seconds until a call counts as failed, 1 to 300.
  public var timeoutSeconds: Int?
  /// The clients that the function is offered to.
  public var availability: ResolveKitAvailability?
  /// `app_inline` or `playbook_pack`; others are kept as they are.
  public var source: String?
  /// The pack's name; nil for a function of the app.
  public var packName: String?
  /// Whether a person must approve each call.
  public var requiresApproval: Bool?
  /// ISO 8601 as the server wrote it, 0 to 6 fraction digits.
  public var createdAt: String?

  /// Creates the backend's record of a registration, with the backend's defaults for what it leaves open.
  package init(id: String, appID: String?, definition: ResolveKitDefinition, isActive: Bool, createdAt: String?) {
    self.id = id
    self.appID = appID
    name = definition.name
    description = definition.description
    parametersSchema = definition.parametersSchema
    self.isActive = isActive
    timeoutSeconds = definition.timeoutSeconds ?? 30
    availability = definition.availability ?? ResolveKitAvailability()
    source = definition.source.rawValue
    packName = definition.packName
    requiresApproval = definition.requiresApproval
    self.createdAt = createdAt
  }

  private enum CodingKeys: String, CodingKey {
    case id, name, description, availability, source
    case appID = "app_id"
    case descriptionOverride = "description_override"
    case parametersSchema = "parameters_schema"
    case isActive = "is_active"
    case timeoutSeconds = "timeout_seconds"
    case packName = "pack_name"
    case requiresApproval = "requires_approval"
    case createdAt = "created_at"
  }
}
