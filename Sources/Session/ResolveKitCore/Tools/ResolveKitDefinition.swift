/// One function as it is registered (`PUT /v1/functions/bulk`, an element of `functions`).
public struct ResolveKitDefinition: Hashable, Sendable {
  /// The origin of a function.
  public enum Source: String, Codable, Sendable {
    /// The app itself.
    case appInline = "app_inline"
    /// A ``ResolveKitFunctionPack``.
    case playbookPack = "playbook_pack"
  }

  /// The backend answers 422 to any other number, and the whole start fails.
  public static let timeoutRange = 1...300

  /// The name that the model calls: 1 to 255 characters, unique within the app.
  public var name: String
  /// The text by which the model decides when to call; at most 1 000 characters.
  public var description: String
  /// The JSON Schema of the arguments, an object schema.
  public var parametersSchema: JSONObject
  /// Seconds; nil leaves it to the backend.
  public var timeoutSeconds: Int?
  /// Whether a person must approve each call. The backend's default is true.
  public var requiresApproval: Bool
  /// The clients that the function is offered to; nil for all.
  public var availability: ResolveKitAvailability?
  /// The origin of the function.
  public var source: Source
  /// The pack's name; nil for a function of the app.
  public var packName: String?

  /// Creates a registration. Lengths are checked by the backend alone, which answers 422.
  public init(
    name: String, description: String, parametersSchema: JSONObject = [:], timeoutSeconds: Int? = nil,
    requiresApproval: Bool = true, availability: ResolveKitAvailability? = nil, source: Source = .appInline,
    packName: String? = nil
  ) {
    self.name = name
    self.description = description
    self.parametersSchema = parametersSchema
    self.timeoutSeconds = timeoutSeconds
    self.requiresApproval = requiresApproval
    self.availability = availability
    self.source = source
    self.packName = packName
  }
}

extension ResolveKitDefinition: Codable {
  private enum CodingKeys: String, CodingKey {
    case name, description, availability, source
    case parametersSchema = "parameters_schema"
    case timeoutSeconds = "timeout_seconds"
    case requiresApproval = "requires_approval"
    case packName = "pack_name"
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    description = try container.decodeIfPresent(String.self, forKey: .description) ?? ""
    parametersSchema = try container.decodeIfPresent(JSONObject.self, forKey: .parametersSchema) ?? [:]
    timeoutSeconds = try container.decodeIfPresent(Int.self, forKey: .timeoutSeconds)
    requiresApproval = try container.decodeIfPresent(Bool.self, forKey: .requiresApproval) ?? true
    availability = try container.decodeIfPresent(ResolveKitAvailability.self, forKey: .availability)
    source = try container.decodeIfPresent(Source.self, forKey: .source) ?? .appInline
    packName = try container.decodeIfPresent(String.self, forKey: .packName)
  }

  /// Absent optionals are left out, because the backend refuses explicit nulls; the timeout is clamped to
  /// `timeoutRange`; `requires_approval` is always written, since its default is true.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(description, forKey: .description)
    try container.encode(parametersSchema, forKey: .parametersSchema)
    if let timeoutSeconds {
      let clamped = min(max(timeoutSeconds, Self.timeoutRange.lowerBound), Self.timeoutRange.upperBound)
      try container.encode(clamped, forKey: .timeoutSeconds)
    }
    try container.encode(requiresApproval, forKey: .requiresApproval)
    try container.encodeIfPresent(availability, forKey: .availability)
    try container.encode(source, forKey: .source)
    try container.encodeIfPresent(packName, forKey: .packName)
  }
}
