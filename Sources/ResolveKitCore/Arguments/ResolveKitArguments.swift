/// The arguments of one call with every digit that the model wrote: `JSONValue` holds numbers as `Double`, which has no
/// room for integers beyond 2^53.
public struct ResolveKitArguments: Hashable, Sendable {
  let members: [String: ExactJSON]

  /// Arguments whose numbers are what their `Double` says.
  public init(_ object: JSONObject) {
    members = object.mapValues { ExactJSON($0) }
  }

  /// Arguments by their JSON text.
  /// - Throws: `JSONError` where the text is no JSON object.
  public init(parsing text: String) throws(JSONError) {
    guard case .object(let members) = try ExactJSON(parsing: Array(text.utf8)) else {
      throw JSONError(.unexpectedShape, "the arguments are not an object")
    }
    self.members = members
  }

  /// The same with numbers as `Double`.
  public var object: JSONObject { members.mapValues { $0.json() } }

  /// Compact JSON with names in byte order.
  public var jsonText: String {
    var writer = JSONWriter()
    ExactJSON.object(members).write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// One argument.
  ///
  /// Strings, booleans and numbers, alone or in arrays and dictionaries, are read as tolerantly as ``TypeResolver``
  /// reads them; numbers without loss. Anything else is read by its own `Decodable`.
  /// - Throws: `ResolveKitFunctionError.invalidArguments`, in words for the model: which argument, what was expected,
  ///   what came.
  public func value<Value: Decodable>(_ name: String, as type: Value.Type) throws(ResolveKitFunctionError) -> Value {
    guard let member = members[name] else {
      throw .invalidArguments("'\(name)' is missing: expected \(ArgumentExpectation.text(of: type)).")
    }
    return try Self.read(member, name, type)
  }

  /// One argument that may be left out; null counts as left out.
  /// - Throws: As ``value(_:as:)`` where another value came, and what `fallback` throws.
  public func value<Value: Decodable>(
    _ name: String, as type: Value.Type, default fallback: @autoclosure () throws -> Value
  ) throws -> Value {
    guard let member = members[name], member != .null else { return try fallback() }
    return try Self.read(member, name, type)
  }

  /// Each argument's own JSON text, by its name.
  package var texts: [String: String] {
    members.mapValues { member in
      var writer = JSONWriter()
      member.write(to: &writer)
      return String(decoding: writer.bytes, as: UTF8.self)
    }
  }

  private static func read<Value: Decodable>(
    _ member: ExactJSON, _ name: String, _ type: Value.Type
  ) throws(ResolveKitFunctionError) -> Value {
    do {
      return try ArgumentReader(path: [ArgumentKey(name)], isLenient: true).read(type, from: member)
    } catch {
      throw .invalidArguments(ArgumentExpectation.sentence(for: error, argument: name))
    }
  }
}

extension ResolveKitArguments {
  /// The text of a call's arguments, where `JSONValue` can't say the same; `data` is a whole event.
  static func exactText(inEvent data: String) -> String? {
    guard case .object(let event)? = try? ExactJSON(parsing: Array(data.utf8)),
      case .object(let payload)? = event["payload"], let arguments = payload["arguments"],
      case .object = arguments, !arguments.isHeldByJSONValue
    else { return nil }
    var writer = JSONWriter()
    arguments.write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
