import Testing

/// A wrong use of the macro, what is said of it, and what the offered change makes of it.
struct Misuse: CustomTestStringConvertible, Sendable {
  let testDescription: String
  var attribute = #"@ResolveKit(name: "a_tool", description: "Does it.")"#
  let declaration: String
  /// The text that the message points at; its first occurrence.
  let place: String
  let message: String
  let remedy: String
  /// The whole source after the remedy.
  let fixed: String

  var source: String { "\(attribute)\n\(declaration)" }

  init(
    _ name: String, attribute: String? = nil, _ declaration: String, at place: String, _ message: String,
    remedy: String, gives fixed: String, fixedAttribute: String? = nil
  ) {
    testDescription = name
    if let attribute { self.attribute = attribute }
    self.declaration = declaration
    self.place = place
    self.message = message
    self.remedy = remedy
    self.fixed = "\(fixedAttribute ?? self.attribute)\n\(fixed)"
  }

  /// Line and column of the place, from 1.
  var position: (line: Int, column: Int) {
    guard let start = source.firstRange(of: place)?.lowerBound else { return (0, 0) }
    let before = source[..<start]
    let line = before.count { $0 == "\n" } + 1
    return (line, before.utf8.count - (before.lastIndex(of: "\n").map { before[...$0].utf8.count } ?? 0) + 1)
  }

  private static let good = "struct A {\n  func perform() async throws {}\n}"

  private static func method(_ signature: String) -> String { "struct A {\n  func \(signature) {}\n}" }

  private static func parameter(
    _ name: String, _ written: String, at place: String, _ message: String, remedy: String, gives fixed: String
  ) -> Misuse {
    Misuse(
      name, method("perform(\(written)) async throws"), at: place, message, remedy: remedy,
      gives: method("perform(\(fixed)) async throws"))
  }

  private static func attribute(
    _ name: String, _ attribute: String, at place: String, _ message: String, remedy: String, gives fixed: String
  ) -> Misuse {
    Misuse(name, attribute: attribute, good, at: place, message, remedy: remedy, gives: good, fixedAttribute: fixed)
  }

  static let declarations = [
    Misuse(
      "class", "final class A {\n  func perform() async throws {}\n}", at: "class A",
      "@ResolveKit needs a struct, and this is a declaration of 'class'", remedy: "make it a struct", gives: good),
    Misuse(
      "enum", "enum A {\n  func perform() async throws {}\n}", at: "enum",
      "@ResolveKit needs a struct, and this is a declaration of 'enum'", remedy: "make it a struct", gives: good),
    Misuse(
      "actor", "actor A {\n  func perform() async throws {}\n}", at: "actor",
      "@ResolveKit needs a struct, and this is a declaration of 'actor'", remedy: "make it a struct", gives: good),
    Misuse(
      "generic struct", "struct A<T> {\n  func perform() async throws {}\n}", at: "<T>",
      "a tool is registered by its type alone, so the struct cannot be generic", remedy: "remove '<T>'", gives: good),
    Misuse(
      "no perform", "struct A {\n}", at: "A {", "'A' has no method 'perform', which does the tool's work",
      remedy: "add 'perform() async throws'",
      gives: "struct A {\n  func perform() async throws -> String {\n    <#what the tool does#>\n  }\n}"),
    Misuse(
      "two performs", "struct A {\n  func perform() async throws {}\n  func perform(a: Int) async throws {}\n}",
      at: "perform(a", "a tool has exactly one method 'perform', and this is another",
      remedy: "rename it to 'performOther'",
      gives: "struct A {\n  func perform() async throws {}\n  func performOther(a: Int) async throws {}\n}"),
    Misuse(
      "neither async nor throws", method("perform()"), at: "perform", "'perform' must be 'async throws'",
      remedy: "add 'async throws'", gives: good),
    Misuse(
      "not async", method("perform() throws"), at: "perform", "'perform' must be 'async throws'", remedy: "add 'async'",
      gives: good),
    Misuse(
      "not throws", method("perform() async"), at: "perform", "'perform' must be 'async throws'",
      remedy: "add 'throws'", gives: good),
    Misuse(
      "static", "struct A {\n  static func perform() async throws {}\n}", at: "static",
      "'perform' is called on an instance of the tool", remedy: "remove 'static'", gives: good),
    Misuse(
      "mutating", "struct A {\n  mutating func perform() async throws {}\n}", at: "mutating",
      "'perform' is called on a tool made for this one call, so there is nothing to change",
      remedy: "remove 'mutating'",
      gives: good),
    Misuse(
      "generic method", method("perform<T>() async throws"), at: "<T>",
      "'perform' cannot be generic: its input is described when the program is built", remedy: "remove '<T>'",
      gives: good),
    Misuse(
      "own Input", "struct A {\n  struct Input {}\n  func perform() async throws {}\n}", at: "Input",
      "@ResolveKit makes a type 'Input' of the method's parameters, so this needs another name",
      remedy: "rename it to 'ToolInput'",
      gives: "struct A {\n  struct ToolInput {}\n  func perform() async throws {}\n}"),
    Misuse(
      "nothing or nothing returned", method("perform() async throws -> Void?"), at: "Void?",
      "'perform' cannot return 'Void?': a result is Encodable", remedy: "use 'Void'",
      gives: method("perform() async throws -> Void")),
    Misuse(
      "tuple returned", method("perform() async throws -> (Int, Int)"), at: "(Int, Int)",
      "'perform' cannot return a tuple: a result is Encodable", remedy: "use '<#a Codable struct#>'",
      gives: method("perform() async throws -> <#a Codable struct#>")),
  ]

  static let parameters = [
    parameter(
      "tuple", "a: (Int, Int)", at: "(Int, Int)",
      "'a' cannot be a tuple: the model passes JSON, read by Decodable", remedy: "use '<#a Codable struct#>'",
      gives: "a: <#a Codable struct#>"),
    parameter(
      "closure", "a: @escaping () -> Void", at: "@escaping",
      "'a' cannot be a closure: the model passes JSON, read by Decodable", remedy: "use '<#a Codable type#>'",
      gives: "a: <#a Codable type#>"),
    parameter(
      "inout", "a: inout Int", at: "inout", "'a' cannot be 'inout': the model passes values", remedy: "remove 'inout'",
      gives: "a: Int"),
    parameter(
      "variadic", "a: Int...", at: "...", "'a' cannot be variadic: the model passes a list as an array",
      remedy: "use '[Int]'", gives: "a: [Int]"),
    parameter(
      "some", "a: some Codable", at: "some Codable",
      "'a' cannot be an opaque type ('some Codable'): the model passes JSON, read by Decodable",
      remedy: "use '<#a Codable type#>'", gives: "a: <#a Codable type#>"),
    parameter(
      "any", "a: any Codable", at: "any Codable",
      "'a' cannot be an existential type ('any Codable'): the model passes JSON, read by Decodable",
      remedy: "use '<#a Codable type#>'", gives: "a: <#a Codable type#>"),
    parameter(
      "Any in a dictionary", "a: [String: Any]?", at: "[String: Any]?",
      "'a' cannot be 'Any': the model passes JSON, read by Decodable", remedy: "use '[String: JSONValue]?'",
      gives: "a: [String: JSONValue]?"),
    parameter(
      "nothing", "a: Void", at: "Void", "'a' cannot be 'Void': the model passes JSON, read by Decodable",
      remedy: "use '<#a Codable type#>'", gives: "a: <#a Codable type#>"),
    parameter(
      "character", "a: [Character]", at: "[Character]",
      "'a' cannot be 'Character': the model passes JSON, read by Decodable", remedy: "use '[String]'",
      gives: "a: [String]"),
    parameter(
      "inline array", "a: [3 of Int]", at: "[3 of Int]",
      "'a' cannot be an inline array: the model passes JSON, read by Decodable", remedy: "use '[Int]'",
      gives: "a: [Int]"),
    parameter(
      "type hidden by the macro's", "a: [Input]", at: "[Input]",
      "'a' cannot be 'Input', which the macro makes: the model passes JSON, read by Decodable",
      remedy: "use '[<#the type by another name#>]'", gives: "a: [<#the type by another name#>]"),
    parameter(
      "inout context", "a: inout ResolveKitFunctionContext", at: "inout",
      "'a' cannot be 'inout': the model passes values", remedy: "remove 'inout'", gives: "a: ResolveKitFunctionContext"),
    parameter(
      "without a name", "_: Int", at: "_: Int", "the model passes values by name, and this one has none",
      remedy: "name it", gives: "_ value: Int"),
    parameter(
      "twice", "a: Int, _ a: Int", at: "_ a", "two parameters have the name 'a' in the schema",
      remedy: "rename it to 'a2'", gives: "a: Int, a2 a: Int"),
  ]

  static let attributes = [
    attribute(
      "no name", #"@ResolveKit(description: "Does it.")"#, at: "@ResolveKit",
      "@ResolveKit needs the argument 'name': the model sees it", remedy: #"add 'name: "a"'"#,
      gives: #"@ResolveKit(name: "a", description: "Does it.")"#),
    attribute(
      "no description", #"@ResolveKit(name: "a", timeout: 3)"#, at: "@ResolveKit",
      "@ResolveKit needs the argument 'description': the model sees it",
      remedy: #"add 'description: "<#what the tool does, and when to call it#>"'"#,
      gives: #"@ResolveKit(name: "a", description: "<#what the tool does, and when to call it#>", timeout: 3)"#),
    attribute(
      "name of a constant", #"@ResolveKit(name: Names.a, description: "Does it.")"#, at: "Names.a",
      "'name' must be a string literal: it is read when the program is built", remedy: #"use "a""#,
      gives: #"@ResolveKit(name: "a", description: "Does it.")"#),
    attribute(
      "interpolated name", #"@ResolveKit(name: "a_\(version)", description: "Does it.")"#, at: #""a_"#,
      "'name' must not interpolate: it is read when the program is built", remedy: #"use "a""#,
      gives: #"@ResolveKit(name: "a", description: "Does it.")"#),
    attribute(
      "interpolated description", #"@ResolveKit(name: "a", description: "Does \(what).")"#, at: #""Does"#,
      "'description' must not interpolate: it is read when the program is built",
      remedy: #"use "<#what the tool does, and when to call it#>""#,
      gives: #"@ResolveKit(name: "a", description: "<#what the tool does, and when to call it#>")"#),
    attribute(
      "bad name", #"@ResolveKit(name: "send message!", description: "Does it.")"#, at: #""send"#,
      "a tool's name is 1 to 128 characters out of A-Z, a-z, 0-9, '_', '-' and '.'", remedy: #"use "send_message""#,
      gives: #"@ResolveKit(name: "send_message", description: "Does it.")"#),
    attribute(
      "empty name", #"@ResolveKit(name: "", description: "Does it.")"#, at: #""""#,
      "a tool's name is 1 to 128 characters out of A-Z, a-z, 0-9, '_', '-' and '.'", remedy: #"use "a""#,
      gives: #"@ResolveKit(name: "a", description: "Does it.")"#),
    attribute(
      "empty description", #"@ResolveKit(name: "a", description: " ")"#, at: #"" ""#,
      "the description is empty: by it the model decides when to call", remedy: "write a description",
      gives: #"@ResolveKit(name: "a", description: "<#what the tool does, and when to call it#>")"#),
    attribute(
      "long description", #"@ResolveKit(name: "a", description: "\#(String(repeating: "x", count: 1001))")"#,
      at: #""xxx"#, "the backend takes descriptions of at most 1000 characters", remedy: "cut the description",
      gives: #"@ResolveKit(name: "a", description: "\#(String(repeating: "x", count: 1000))")"#),
    attribute(
      "timeout of 0", #"@ResolveKit(name: "a", description: "d", timeout: 0)"#, at: "0",
      "a timeout is 1 to 300 seconds", remedy: "use 1", gives: #"@ResolveKit(name: "a", description: "d", timeout: 1)"#),
    attribute(
      "timeout of 1 000", #"@ResolveKit(name: "a", description: "d", timeout: 1_000)"#, at: "1_000",
      "a timeout is 1 to 300 seconds", remedy: "use 300",
      gives: #"@ResolveKit(name: "a", description: "d", timeout: 300)"#),
    attribute(
      "negative timeout", #"@ResolveKit(name: "a", description: "d", timeout: -5)"#, at: "-5",
      "a timeout is 1 to 300 seconds", remedy: "use 1", gives: #"@ResolveKit(name: "a", description: "d", timeout: 1)"#),
  ]
}
