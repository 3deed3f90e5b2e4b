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
}
