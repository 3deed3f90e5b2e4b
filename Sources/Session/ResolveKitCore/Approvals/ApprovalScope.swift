/// The scope of an approval that outlives one call: the server, the tool's name and all of its definition that a
/// person, or the model, goes by.
package enum ApprovalScope {
  /// Injective: the length of each field stands before it, so that no two scopes share their bytes, whatever the fields
  /// hold. Strings count as their UTF-8 bytes; the schema as its JSON with sorted names.
  package static func bytes(server: String, definition: ResolveKitDefinition, isIdempotent: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    append(Array("resolvekit-approval-scope-1".utf8), to: &bytes)
    append(Array(server.utf8), to: &bytes)
    append(Array(definition.name.utf8), to: &bytes)
    append(Array(definition.description.utf8), to: &bytes)
    append(JSONValue.object(definition.parametersSchema).serialized(), to: &bytes)
    append([definition.requiresApproval ? 1 : 0, isIdempotent ? 1 : 0], to: &bytes)
    append(definition.packName.map { [1] + Array($0.utf8) } ?? [0], to: &bytes)
    return bytes
  }

  private static func append(_ field: [UInt8], to bytes: inout [UInt8]) {
    bytes += Array("\(field.count):".utf8) + field
  }
}
