/// The functions of a program, by name.
public actor ResolveKitRegistry {
  /// A registry for the whole process. Runtimes do not read it: they take the functions of their configuration.
  public static let shared = ResolveKitRegistry()

  private var functions: [String: any AnyResolveKitFunction.Type] = [:]

  /// Creates an empty registry.
  public init() {}

  /// Adds a function.
  /// - Throws: `ResolveKitFunctionError.duplicateFunctionName`; nothing is replaced.
  public func register(_ function: any AnyResolveKitFunction.Type) throws(ResolveKitFunctionError) {
    try register([function])
  }

  /// Adds several functions, all or none.
  /// - Throws: `ResolveKitFunctionError.duplicateFunctionName`.
  public func register(_ added: [any AnyResolveKitFunction.Type]) throws(ResolveKitFunctionError) {
    var result = functions
    for function in added {
      let name = function.resolveKitName
      if let other = result.updateValue(function, forKey: name) {
        throw .duplicate(name, String(reflecting: other), String(reflecting: function))
      }
    }
    functions = result
  }

  /// All definitions, sorted by name.
  public var definitions: [ResolveKitDefinition] {
    functions.values.map { $0.definition }.sorted { $0.name < $1.name }
  }

  /// The function of that name.
  public func resolve(_ name: String) -> (any AnyResolveKitFunction.Type)? { functions[name] }

  /// Runs a function outside the actor, so that a slow tool never holds up the registry.
  /// - Throws: `ResolveKitFunctionError.unknownFunction`, or what the tool throws.
  public nonisolated func dispatch(
    functionName: String, arguments: JSONObject, context: ResolveKitFunctionContext
  ) async throws -> JSONValue {
    guard let function = await resolve(functionName) else {
      throw ResolveKitFunctionError.unknownFunction(functionName)
    }
    return try await function.invoke(arguments: arguments, context: context)
  }

  /// Forgets every function.
  public func reset() { functions.removeAll() }
}
