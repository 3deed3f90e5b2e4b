/// Body of `PUT /v1/functions/bulk`: it replaces the whole set of the app.
public struct FunctionsRegistration: Hashable, Sendable, Codable {
  /// The backend takes no more in one call.
  public static let maximumCount = 512

  public var functions: [ResolveKitDefinition]

  public init(functions: [ResolveKitDefinition]) { self.functions = functions }
}
