import SwiftDiagnostics
import SwiftSyntaxMacrosGenericTestSupport
import Testing

struct DiagnosticTests {
  @Test(arguments: Misuse.declarations + Misuse.parameters + Misuse.attributes)
  func misuseIsNamedAndPutRight(misuse: Misuse) {
    let position = misuse.position
    expectExpansion(
      of: misuse.source, is: misuse.declaration,
      diagnostics: [
        DiagnosticSpec(
          message: misuse.message, line: position.line, column: position.column,
          fixIts: [FixItSpec(message: misuse.remedy)])
      ], fixed: misuse.fixed)
  }

  @Test func aNameInAnotherStyleIsAllowedWithAWarning() {
    let body = "struct A {\n  func perform() async throws {}\n}"
    expectExpansion(
      of: "@ResolveKit(name: \"sendMessage\", description: \"d\")\n\(body)",
      is: ExpansionTests.expanded(body, name: "sendMessage", description: "d"),
      diagnostics: [
        DiagnosticSpec(
          message: "models know tools by snake_case names", line: 1, column: 19, severity: .warning,
          fixIts: [FixItSpec(message: "use \"send_message\"")])
      ], fixed: "@ResolveKit(name: \"send_message\", description: \"d\")\n\(body)")
  }

  @Test(
    arguments: [
      (
        "let store: Store", "a tool is made anew for each call by 'init()', so 'store' needs a value", 3, 7,
        "give it a value",
        "let store: Store = <#value#>"
      ),
      (
        "init(a: Int) {}", "a tool is made anew for each call by 'init()', which 'A' does not declare", 3, 3,
        "add 'init()'",
        "init(a: Int) {}"
      ),
      (
        "init?() {}", "a tool is made anew for each call by 'init()', which 'A' does not declare", 3, 3, "add 'init()'",
        "init?() {}"
      ),
    ] as [(String, String, Int, Int, String, String)])
  func anInitializerThatOnlyAnExtensionCanDeclareIsAskedFor(
    member: String, message: String, line: Int, column: Int, remedy: String, fixed: String
  ) {
    let attribute = "@ResolveKit(name: \"a\", description: \"d\")\n"
    let body = "struct A {\n  \(member)\n  func perform() async throws {}\n}"
    let added = remedy == "add 'init()'" ? "\n  init() {\n    <#set the properties#>\n  }\n" : ""
    expectExpansion(
      of: attribute + body, is: ExpansionTests.expanded(body, name: "a", description: "d"),
      diagnostics: [
        DiagnosticSpec(
          message: message, line: line, column: column, severity: .warning, fixIts: [FixItSpec(message: remedy)])
      ],
      fixed: "\(attribute)struct A {\(added)\n  \(fixed)\n  func perform() async throws {}\n}")
  }

  @Test func aToolCannotStandInAGenericType() {
    let tool = "@ResolveKit(name: \"a\", description: \"d\")\n  struct A {\n    func perform() async throws {}\n  }"
    expectExpansion(
      of: "enum Outer<T> {\n  \(tool)\n}",
      is: "enum Outer<T> {\n  struct A {\n    func perform() async throws {}\n  }\n}",
      diagnostics: [
        DiagnosticSpec(
          message: "a tool is registered by its type alone, so move it out of 'Outer', which is generic", line: 3,
          column: 10)
      ])
  }
}
