/// The arguments of one call with every digit that the model wrote: `JSONValue` holds numbers as `Double`, which has no
/// room for integers beyond 2^53.
public struct ResolveKitArguments: Hashable, Sendable {
  let members: [String: ExactJSON]

  /// Arguments whose numbers are what their `Double` says.
  public init(_ object: JSONObject) {
    members = object.mapValues { ExactJSON($0) }
  }

  /// Arguments by their JSON text.
  /// - Throws: `JSONError` where the text is no JSON object, a number in it is beyond the range of `Double`, or an object in
  ///   it has two members of one name: a reader of one must not have the other one run.
  public init(parsing text: String) throws(JSONError) {
    guard case .object(let members) = try ExactJSON(parsing: Array(text.utf8)) else {
      throw JSONError(.unexpectedShape, "the arguments are not an object")
    }
    for (name, member) in members where !member.isInRange {
      throw JSONError(.numberOutOfRange, "\(name.visibleJSON) has a number outside the range of a double")
    }
    self.members = members
  }

  /// The same with numbers as `Double`: the nearest one where there is none of exactly that value.
  public var object: JSONObject { members.mapValues { $0.json() } }

  /// The same as a `JSONObject` that says exactly this.
  /// - Throws: `ResolveKitFunctionError.invalidArguments` where `Double` has no room for a number's digits.
  func exactObject() throws(ResolveKitFunctionError) -> JSONObject {
    for (name, member) in members.sorted(by: { $0.key < $1.key }) where !member.isHeldByJSONValue {
      throw .invalidArguments(
        "'\(name)' has a number with more digits than this tool can take; a whole number may have 15, any other 17.")
    }
    return object
  }

  /// The arguments on one line, for a person at a terminal: JSON with every digit, names in byte order, and escapes in the
  /// place of what could not be seen or would be taken for something else.
  package var displayText: String { text(.isolated) }

  /// The same as ``jsonText``, with escapes in the place of what could not be seen or may steer a terminal.
  package var visibleText: String { text(.visible) }

  private func text(_ spelling: JSONWriter.Spelling) -> String {
    var writer = JSONWriter(spelling: spelling)
    ExactJSON.object(members).write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Compact JSON with names in byte order.
  public var jsonText: String { text(.required) }

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
