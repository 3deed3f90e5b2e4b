/// A type that states its JSON Schema itself.
///
/// Not needed by enumerations with raw values that are `CaseIterable`, nor by structs whose `Decodable` the compiler
/// writes: their schemas are found without it. It is of use where a hand-written `init(from:)` accepts less, or
/// other, than the types that it decodes say.
public protocol ResolveKitSchemaProviding: Decodable {
  /// A JSON Schema (2020-12) of the values that `init(from:)` accepts.
  static var resolveKitSchema: JSONObject { get }
}
