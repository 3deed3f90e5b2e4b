/// A function as the backend keeps it (`FunctionOut`).
public struct RegisteredFunction: Hashable, Sendable, Codable {
  public var id: String
  public var appID: String?
  public var name: String
  public var description: String?
  public var descriptionOverride: String?
  public var parametersSchema: JSONObject?
  public var isActive: Bool?
  public var timeoutSeconds: Int?
  public var availability: ResolveKitAvailability?
  public var source: String?
  public var packName: String?
  public var requiresApproval: Bool?
  public var createdAt: String?

  public init(id: String, appID: String?, definition: ResolveKitDefinition, isActive: Bool, createdAt: String?) {
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
