/// Tools that belong together, defined in a module of their own.
public protocol ResolveKitFunctionPack: Sendable {
  /// The name that is registered as `pack_name`, and shown in errors.
  static var packName: String { get }
  /// Platforms on which the pack is registered.
  static var supportedPlatforms: [ResolveKitPlatform] { get }
  /// The pack's tools; no two of a session may share a name.
  static var functions: [any AnyResolveKitFunction.Type] { get }
}

extension ResolveKitFunctionPack {
  /// The pack's registrations for a platform; empty where the pack does not support it.
  public static func definitions(on platform: ResolveKitPlatform) -> [ResolveKitDefinition] {
    guard supportedPlatforms.contains(platform) else { return [] }
    return functions.map { function in
      var definition = function.definition
      definition.source = .playbookPack
      definition.packName = packName
      definition.availability = ResolveKitAvailability(platforms: supportedPlatforms)
      return definition
    }
  }
}
