import Foundation
import TestSupport
import Testing

@testable import ResolveKitCore

struct ArgumentTests {
  private enum Mode: String, CaseIterable, Codable { case fast, slow }

  private struct Point: Codable, Equatable {
    var x: Int
    var label: String?
  }

  /// Tries one type after another, as types for any value do.
  private struct Loose: Codable, Equatable {
    var text: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let flag = try? container.decode(Bool.self) {
        text = "bool \(flag)"
      } else if let number = try? container.decode(Int.self) {
        text = "int \(number)"
      } else {
        text = "string \(try container.decode(String.self))"
      }
    }
  }

  private func read<Value: Decodable>(_ json: String, as type: Value.Type) throws -> Value {
    try ResolveKitArguments(parsing: #"{"a":\#(json)}"#).value("a", as: type)
  }

  @Test func scalarsAreReadAsTheResolverReadsThem() throws {
    for json in ["3", "3.9", "-3.9", #""42""#, #""3.5""#, "true", "1e300", "null", "[]", #""yes""#, "0"] {
      let value = try JSONValue(parsing: json)
      #expect((try? read(json, as: Int.self)) == TypeResolver.coerceInt(value), "\(json)")
      #expect((try? read(json, as: Bool.self)) == TypeResolver.coerceBool(value), "\(json)")
      #expect((try? read(json, as: Double.self)) == TypeResolver.coerceDouble(value), "\(json)")
    }
    #expect(try read("3.0", as: String.self) == "3")
    #expect(try read("3.50", as: String.self) == "3.50")
    #expect(try read("9007199254740993", as: String.self) == "9007199254740993")
  }

  @Test(
    arguments: [
      ("9007199254740993", 9_007_199_254_740_993), ("9223372036854775807", .max), ("-9223372036854775808", .min),
      ("9223372036854775808", nil), ("-9223372036854775809", nil), ("9007199254740993.0", 9_007_199_254_740_993),
      ("900719925474099.3e1", 9_007_199_254_740_993), ("1e18", 1_000_000_000_000_000_000), ("1e19", nil),
      ("1e300", nil), ("1e-999999999999999999999", 0), ("0e999999999999999999999", 0), ("-0", 0), ("123.999", 123),
    ] as [(String, Int64?)])
  func integersAreExact(json: String, expected: Int64?) throws {
    #expect(JSONNumber(json).truncated(to: Int64.self) == expected)
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func noNumberTraps(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let characters = Array("0123456789900..eE+--")
    for _ in 0..<500 {
      let text = String(
        (0..<Int.random(in: 0...40, using: &random)).map { _ in characters.randomElement(using: &random) ?? "0" })
      let number = JSONNumber(text)
      let integer = number.truncated(to: Int64.self)
      _ = (number.truncated(to: UInt8.self), number.plainText, number.isHeldByDouble, number.truncated(to: Int128.self))
      guard let integer, let double = number.double, double.magnitude < 0x1p53 else { continue }
      #expect(integer == Int64(double), "seed \(seed): \(text)")
    }
  }

  @Test func aDoubleIsTheIntegerThatItHolds() throws {
    let arguments = ResolveKitArguments(["a": .number(0x1p60), "b": .number(-0x1p63), "c": .number(0x1p63)])
    #expect(try arguments.value("a", as: Int.self) == 1 << 60)
    #expect(try arguments.value("b", as: Int.self) == .min)
    #expect(try arguments.value("c", as: UInt64.self) == 1 << 63)
    #expect((try? arguments.value("c", as: Int.self)) == nil)
    #expect(try read("1152921504606847000", as: Int.self) == 1_152_921_504_606_847_000)
    #expect(arguments.object == ["a": .number(0x1p60), "b": .number(-0x1p63), "c": .number(0x1p63)])
  }

  @Test func narrowTypesKeepTheirRange() throws {
    #expect(try read("255", as: UInt8.self) == 255)
    #expect((try? read("256", as: UInt8.self)) == nil)
    #expect((try? read("-1", as: UInt64.self)) == nil)
    #expect(try read("18446744073709551615", as: UInt64.self) == .max)
    #expect((try? read("1e39", as: Float.self)) == nil)
    #expect(try read("0.25", as: Float.self) == 0.25)
  }

  @Test func insideATypesOwnDecodableTypesMustMatch() throws {
    #expect(try read(#""1""#, as: Loose.self).text == "string 1")
    #expect(try read("1", as: Loose.self).text == "int 1")
    #expect(try read("true", as: Loose.self).text == "bool true")
    #expect(try read(#"{"x":3.0}"#, as: Point.self) == Point(x: 3))
    #expect((try? read(#"{"x":"3"}"#, as: Point.self)) == nil)
    #expect((try? read(#"{"x":3.5}"#, as: Point.self)) == nil)
  }

  @Test func containersAreReadToAnyDepth() throws {
    #expect(try read(#"[["1",2],[]]"#, as: [[Int]].self) == [[1, 2], []])
    #expect(try read(#"{"fast":[1,null]}"#, as: [Mode: [Int?]].self) == [.fast: [1, nil]])
    #expect(try read(#"{"7":{"x":1}}"#, as: [Int: Point].self) == [7: Point(x: 1)])
    #expect(try read("[1,1]", as: Set<Int>.self) == [1])
    #expect((try? read(#"{"other":[]}"#, as: [Mode: [Int]].self)) == nil)
  }

  @Test func typesOfFoundationAreReadAsModelsWriteThem() throws {
    #expect(
      try read(#""2026-01-02T03:04:05Z""#, as: Date.self) == read(#""2026-01-02T03:04:05.000Z""#, as: Date.self))
    #expect(try read(#""https://example.com/a""#, as: URL.self).host() == "example.com")
    #expect(try read(#""aGk=""#, as: Data.self) == Data("hi".utf8))
    #expect(try read("0.1000000000000000000001", as: Decimal.self).description == "0.1000000000000000000001")
    #expect((try? read(#""no""#, as: UUID.self)) == nil)
  }

  @Test(
    arguments: [
      ("{}", "'a' is missing: expected an object."), (#"{"a":{}}"#, "'a.x' is missing: expected an integer"),
      (#"{"a":{"x":"b"}}"#, #"'a.x': expected an integer"#), (#"{"a":[]}"#, "'a': expected an object, got an array."),
    ])
  func faultsNameThePlace(json: String, message: String) throws {
    let arguments = try ResolveKitArguments(parsing: json)
    let error = #expect(throws: ResolveKitFunctionError.self) { try arguments.value("a", as: Point.self) }
    guard case .invalidArguments(let sentence)? = error else { return }
    #expect(sentence.hasPrefix(message), "\(sentence)")
  }

  @Test func argumentsMustBeAnObject() {
    for text in ["[]", "1", "", "{", #"{"a":}"#] {
      #expect(throws: JSONError.self) { try ResolveKitArguments(parsing: text) }
    }
  }
}
