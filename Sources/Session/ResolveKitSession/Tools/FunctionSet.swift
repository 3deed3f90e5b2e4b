package import ResolveKitCore
import ResolveKitNetworking

/// The functions of a configuration: what is registered, what may be used, and how they are run.
package struct FunctionSet: Sendable {
  let definitions: [ResolveKitDefinition]
  /// One sentence on each pack that is left out, because it does not support the platform, and on each availability that
  /// is of no function.
  package let warnings: [String]
  private let functions: [String: any AnyResolveKitFunction.Type]

  /// Throws ``ResolveKitFunctionError`` where two functions have one name. Packs that don't support the platform are
  /// left out.
  package init(
    functions: [any AnyResolveKitFunction.Type], packs: [any ResolveKitFunctionPack.Type],
    platform: ResolveKitPlatform, availability: [String: ResolveKitAvailability] = [:]
  ) throws(ResolveKitFunctionError) {
    var byName: [String: any AnyResolveKitFunction.Type] = [:]
    var origins: [String: String] = [:]
    let supported = packs.filter { $0.supportedPlatforms.contains(platform) }
    let sources =
      [("the configuration's functions", functions)] + supported.map { ("the pack '\($0.packName)'", $0.functions) }
    for (source, function) in sources.flatMap({ source, functions in functions.map { (source, $0) } }) {
      let name = function.resolveKitName
      let origin = "\(String(reflecting: function)) of \(source)"
      if let other = origins.updateValue(origin, forKey: name) { throw .duplicate(name, other, origin) }
      byName[name] = function
    }
    self.functions = byName
    let all = functions.map { $0.definition } + supported.flatMap { $0.definitions(on: platform) }
    definitions = all.map { Self.limited($0, to: availability[$0.name]) }
    let unknown = availability.keys.filter { byName[$0] == nil }.sorted()
    warnings =
      packs.filter { !$0.supportedPlatforms.contains(platform) }.map { Self.warning(on: $0, platform) }
      + unknown.map { "warning: the availability of '\($0)' has no effect, for there is no such function here" }
  }

  /// Takes from the definition what the limits leave open.
  private static func limited(
    _ definition: ResolveKitDefinition, to limits: ResolveKitAvailability?
  ) -> ResolveKitDefinition {
    guard let limits else { return definition }
    var availability = definition.availability ?? ResolveKitAvailability()
    availability.platforms = limits.platforms ?? availability.platforms
    availability.minOSVersion = limits.minOSVersion ?? availability.minOSVersion
    availability.maxOSVersion = limits.maxOSVersion ?? availability.maxOSVersion
    availability.minAppVersion = limits.minAppVersion ?? availability.minAppVersion
    availability.maxAppVersion = limits.maxAppVersion ?? availability.maxAppVersion
    var limited = definition
    limited.availability = availability
    return limited
  }

  private static func warning(on pack: any ResolveKitFunctionPack.Type, _ platform: ResolveKitPlatform) -> String {
    let platforms = pack.supportedPlatforms.map(\.rawValue).joined(separator: ", ")
    return """
      warning: the function pack '\(pack.packName)' is left out, for it supports \
      \(platforms.isEmpty ? "no platform" : platforms), and this is \(platform.rawValue); add \(platform.rawValue) to its \
      supportedPlatforms, or set the configuration's platform to one that it supports
      """
  }

  /// The names that a session may use: `wanted` where they are known here, all for nil.
  func names(wanted: [String]?) -> [String] {
    let all = definitions.map(\.name)
    guard let wanted else { return all }
    let set = Set(wanted)
    return all.filter { set.contains($0) }
  }

  /// The policies of the functions for the turn machine.
  ///
  /// - Parameter server: what approvals are bound to beside the tool itself.
  func policies(server: String) -> [ToolPolicy] {
    definitions.map { definition in
      let function = functions[definition.name]
      let isIdempotent = function?.resolveKitIsIdempotent ?? false
      return ToolPolicy(
        name: definition.name, requiresApproval: definition.requiresApproval,
        fingerprint: ToolFingerprint.make(server: server, definition: definition, isIdempotent: isIdempotent),
        isIdempotent: isIdempotent, serialKey: function?.resolveKitSerialKey)
    }
  }

  func run(_ call: ToolCall, session: String?) async throws -> JSONValue {
    guard let function = functions[call.functionName] else {
      throw ResolveKitFunctionError.unknownFunction(call.functionName)
    }
    let context = ResolveKitFunctionContext(sessionID: session, requestID: call.key.callID)
    return try await function.invoke(exactly: call.request.exactArguments, context: context)
  }
}
