import Testing

@testable import ResolveKitCore

struct TypeResolverTests {
  @Test(
    arguments: [
      (JSONValue.string("a"), "a"), (3, "3"), (3.5, "3.5"), (true, "true"), (false, "false"), (1e300, "1e+300"),
      (.number(.nan), "nan"), (nil, nil), ([], nil), ([:], nil),
    ] as [(JSONValue, String?)])
  func strings(value: JSONValue, expected: String?) {
    #expect(TypeResolver.coerceString(value) == expected)
  }

  @Test(
    arguments: [
      (true, true), (false, false), (1, true), (0, false), (-2, true), ("TRUE", true), ("yes", true), ("1", true),
      ("No", false), ("0", false), ("false", false), ("maybe", nil), ("", nil), (.number(.nan), nil), (nil, nil),
      ([true], nil),
    ] as [(JSONValue, Bool?)])
  func booleans(value: JSONValue, expected: Bool?) {
    #expect(TypeResolver.coerceBool(value) == expected)
  }

  @Test(
    arguments: [
      (3, 3), (3.9, 3), (-3.9, -3), ("42", 42), ("-7", -7), ("3.5", nil), ("x", nil), (true, 1), (false, 0),
      (1e300, nil), (-1e300, nil), (.number(.nan), nil), (.number(.infinity), nil), (9.3e18, nil),
      ("99999999999999999999", nil), (nil, nil), ([:], nil),
    ] as [(JSONValue, Int?)])
  func integers(value: JSONValue, expected: Int?) {
    #expect(TypeResolver.coerceInt(value) == expected)
  }

  @Test func narrowIntegersRefuseWhatDoesNotFit() {
    #expect(TypeResolver.coerceInteger(255, as: UInt8.self) == 255)
    #expect(TypeResolver.coerceInteger(256, as: UInt8.self) == nil)
    #expect(TypeResolver.coerceInteger(-1, as: UInt.self) == nil)
    #expect(TypeResolver.coerceInteger("-128", as: Int8.self) == -128)
  }

  @Test(
    arguments: [
      (2.5, 2.5), ("2.5", 2.5), ("1e3", 1000), ("inf", nil), ("nan", nil), ("", nil), (true, 1), (nil, nil), ([], nil),
    ] as [(JSONValue, Double?)])
  func doubles(value: JSONValue, expected: Double?) {
    #expect(TypeResolver.coerceDouble(value) == expected)
  }
}
