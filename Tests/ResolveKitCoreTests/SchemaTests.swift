import Foundation
import Testing

@testable import ResolveKitCore

struct SchemaTests {
  private enum Mode: String, CaseIterable, Codable { case fast, slow }
  private enum Open: String, Codable { case a, b }

  private struct Leaf: Codable {
    var name: String
    var note: String?
    var mode: Mode?
    var at: Date
  }

  private struct Branch: Codable {
    enum CodingKeys: String, CodingKey {
      case leaves = "all_leaves"
      case best, size
    }

    var leaves: [String: [Leaf?]]
    var best: Leaf
    var size: Float
  }

  private final class Node: Codable {
    let value: Int8
    let next: Node?
    let others: [Node]
  }

  /// A pair as an array of two.
  private struct Pair: Decodable {
    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      _ = try container.decode(Int8.self)
      _ = try container.decode(String.self)
    }
  }

  private struct Nested: Decodable {
    enum Keys: CodingKey { case outer, inner }

    init(from decoder: any Decoder) throws {
      let outer = try decoder.container(keyedBy: Keys.self)
      let inner = try outer.nestedContainer(keyedBy: Keys.self, forKey: .outer)
      _ = try inner.decode(Bool.self, forKey: .inner)
    }
  }

  private struct Even: ResolveKitSchemaProviding {
    static let resolveKitSchema: JSONObject = ["type": "integer", "multipleOf": 2]

    init(from decoder: any Decoder) throws {
      let number = try decoder.singleValueContainer().decode(Int.self)
      guard number.isMultiple(of: 2) else {
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "odd"))
      }
    }
  }

  private final class Inner: Codable {
    let outers: [Outer]
  }

  private final class Outer: Codable {
    let inner: Inner
    let name: String
  }

  private struct Whole: Codable {
    let inner: Inner
    let outer: Outer
    let more: String
  }

  private func schema<Value: Decodable>(_ type: Value.Type) -> JSONValue {
    ResolveKitSchema.of(type, parameter: "p")
  }

  @Test func scalarsHaveExactRanges() throws {
    #expect(schema(Int8.self) == ["type": "integer", "minimum": -128, "maximum": 127])
    #expect(schema(UInt32.self) == ["type": "integer", "minimum": 0, "maximum": 4_294_967_295])
    #expect(
      schema(Int.self).jsonText
        == #"{"exclusiveMaximum":9223372036854775808,"minimum":-9223372036854775808,"type":"integer"}"#)
    #expect(schema(UInt64.self).objectValue?["exclusiveMaximum"] == .number(18_446_744_073_709_551_616))
    let registered = String(decoding: try ResolveKitJSON.encode(schema(UInt64.self)), as: UTF8.self)
    #expect(registered == #"{"exclusiveMaximum":18446744073709551616,"minimum":0,"type":"integer"}"#)
    #expect(schema(Double.self) == ["type": "number"])
    #expect(schema(Float.self).objectValue?["maximum"] == .number(Double(Float.greatestFiniteMagnitude)))
  }

  @Test func enumerationsListTheirCases() {
    #expect(schema(Mode.self) == ["type": "string", "enum": ["fast", "slow"]])
    #expect(schema([Mode: Int8].self).objectValue?["propertyNames"] == ["enum": ["fast", "slow"]])
  }

  @Test func structsShowTheirMembers() {
    let leaf: JSONValue = [
      "type": "object",
      "properties": [
        "name": ["type": "string"], "note": ["type": "string"], "mode": ["type": "string", "enum": ["fast", "slow"]],
        "at": ["type": "string", "format": "date-time"],
      ], "required": ["name", "at"],
    ]
    let branch = schema(Branch.self).objectValue
    let properties = branch?["properties"]?.objectValue
    #expect(branch?["required"] == ["all_leaves", "best", "size"])
    #expect(properties?["best"] == leaf)
    let values: JSONValue = ["type": "array", "items": ["anyOf": [leaf, ["type": "null"]]]]
    #expect(properties?["all_leaves"] == ["type": "object", "additionalProperties": values])
  }

  @Test func whatWasCutByATypeInProgressIsDerivedAgain() {
    let whole = schema(Whole.self).objectValue
    #expect(whole?["required"] == ["inner", "outer", "more"])
    let outer = whole?["properties"]?.objectValue?["outer"]?.objectValue
    #expect(outer?["required"] == ["inner", "name"])
  }

  @Test func typesThatContainThemselvesAreReferredTo() {
    let node = schema(Node.self).objectValue
    #expect(node?["$ref"] == "#/properties/p/$defs/Node")
    let definition = node?["$defs"]?.objectValue?["Node"]?.objectValue
    #expect(definition?["required"] == ["value", "others"])
    let properties = definition?["properties"]?.objectValue
    #expect(properties?["next"] == ["$ref": "#/properties/p/$defs/Node"])
    #expect(properties?["others"] == ["type": "array", "items": ["$ref": "#/properties/p/$defs/Node"]])
  }

  @Test func decodablesWrittenByHandShowWhatTheyAskFor() {
    #expect(
      schema(Pair.self).objectValue?["prefixItems"] == [
        ["type": "integer", "minimum": -128, "maximum": 127], ["type": "string"],
      ])
    #expect(schema(Pair.self).objectValue?["minItems"] == 2)
    let nested = schema(Nested.self).objectValue
    #expect(nested?["required"] == ["outer"])
    #expect(nested?["properties"]?.objectValue?["outer"]?.objectValue?["required"] == ["inner"])
    #expect(schema([Even].self) == ["type": "array", "items": ["type": "integer", "multipleOf": 2]])
    #expect(schema(Open.self) == ["type": "string"])
    #expect(schema(JSONValue.self) == [:])
    #expect(schema(JSONObject.self) == ["type": "object", "additionalProperties": [:]])
  }

  @Test func descriptionAndDefaultAreAdded() {
    #expect(
      ResolveKitSchema.of(Mode.self, parameter: "m", description: "How.", default: "fast") == [
        "type": "string", "enum": ["fast", "slow"], "description": "How.", "default": "fast",
      ])
  }
}
