import Foundation
public import ResolveKitAuthoring

// Tools at unusual places, of unusual access and isolation, with unusual names. That they compile is most of the test.

private enum Hidden: String, CaseIterable, Codable, Sendable { case a, b }

enum Namespace {
  struct Place: Codable, Sendable { var x: Int }

  @ResolveKit(name: "in_an_enum", description: "Stands in an enumeration.")
  struct InAnEnum: ResolveKitFunction {
    func perform(place: Place) async throws -> Place { place }
  }
}

actor Keeper {
  @ResolveKit(name: "in_an_actor", description: "Stands in an actor.")
  struct InAnActor: ResolveKitFunction {
    func perform(value: Int) async throws -> Int { value }
  }
}

public enum Open {}

// swift-format-ignore: NoAccessLevelOnExtensionDeclaration
public extension Open {
  @ResolveKit(name: "in_a_public_extension", description: "Is public by the extension.")
  struct InAPublicExtension: ResolveKitFunction {
    func perform(priority: Priority) async throws -> Priority { priority }
  }
}

@ResolveKit(name: "with_a_hidden_type", description: "Takes a type of this file.")
struct WithAHiddenType: ResolveKitFunction {
  fileprivate func perform(kind: Hidden) async throws -> Hidden { kind }
}

@ResolveKit(name: "with_its_own_type", description: "Takes a type of its own.")
struct WithItsOwnType: ResolveKitFunction {
  private enum Kind: String, CaseIterable, Codable, Sendable { case a, b }
  private func perform(kind: Kind, _ other: Kind = .b) async throws -> [Kind] { [kind, other] }
}

@ResolveKit(name: "odd_names", description: "Has names that are no plain identifiers.")
struct OddNames: ResolveKitFunction {
  func perform(
    `default`: Int, `self`: Int, `init` `class`: Int, in `inout`: Int, `two words`: Int, _ `and three more`: Int = 6,
    größe: Int, `_`: Int
  ) async throws -> [Int] {
    [`default`, `self`, `class`, `inout`, `two words`, `and three more`, größe, `_`]
  }
}

let arguments = 1
let context = 2
let input = 3
let output = 4

@ResolveKit(name: "defaults_by_name", description: "Its defaults have names that an expansion might use.")
struct DefaultsByName: ResolveKitFunction {
  func perform(
    a: Int = arguments, b: Int = context, c: Int = input, d: Int = output, e: [Int] = [5].map { $0 * 2 },
    context: ResolveKitFunctionContext
  ) async throws -> [Int] {
    [a, b, c, d] + e
  }
}

/// Is no Sendable.
final class Report: Encodable {
  var lines: [String]
  init(_ lines: [String]) { self.lines = lines }
}

@MainActor
@ResolveKit(name: "main_actors_defaults", description: "Its defaults need the main actor, its result stays there.")
struct MainActorsDefaults: ResolveKitFunction {
  static var limit = 3
  func perform(limit: Int = Self.limit) async throws -> Report { Report(["\(limit)"]) }
}

@MainActor private var counter = 40

@ResolveKit(name: "method_on_main", description: "Only its method is on the main actor.")
struct MethodOnMain: ResolveKitFunction {
  @MainActor func perform(start: Int = counter) async throws -> Int { start + 2 }
}

@ResolveKit(name: "conditional", description: "Its method depends on the build.")
struct Conditional: ResolveKitFunction {
  #if os(Linux)
  func perform(onLinux: Bool) async throws -> Bool { onLinux }
  #else
  func perform(elsewhere: Bool) async throws -> Bool { elsewhere }
  #endif
}

@ResolveKit(name: "any_result", description: "Returns any value.")
struct AnyResult: ResolveKitFunction {
  func perform(number: Bool) async throws -> any Encodable { number ? 1 : "one" }
}

@ResolveKit(name: "maybe", description: "Spells optionals in every way.")
struct Maybe: ResolveKitFunction {
  func perform(
    a: Int?, b: Optional<Int>, c: Int??, d: [Int?], e: (Int)?, f: Swift.Optional<Swift.Int>, g: Int!, h: Swift.Int = 7
  ) async throws -> [Int?] {
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    [a, b, c ?? nil, e, f, g, h] + d
  }
}

@ResolveKit(
  name: #"raw_text"#,
  description: #"""
    Says "\n" \ \(nothing) é 🐶
      and more.
    """#)
struct RawText: ResolveKitFunction {
  /**
   * Takes a text.
   *
   * - Parameters:
   *   - text: A "quoted" \(text),
   *     on two lines.
   */
  @discardableResult
  /// - Parameter other: Told of between attribute and method.
  func perform(text: String = #"\n"#, other: String = "\u{e9}\"") async throws -> String { text + other }
}
