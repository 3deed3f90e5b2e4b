import Foundation
import ResolveKitCore
import Testing

@testable import ResolveKitSession

struct ToolErrorTextTests {
  private struct Plain: Error { let code = 7 }

  private struct Localized: LocalizedError {
    var errorDescription: String? { "The disk is full." }
  }

  private struct Described: Error, CustomStringConvertible {
    let description = "no such room"
  }

  @Test func anErrorSpeaksForItself() {
    #expect(ToolErrorText.sentence(Localized()) == "The disk is full.")
    #expect(ToolErrorText.sentence(Described()) == "no such room")
    #expect(ToolErrorText.sentence(Plain()) == "Plain(code: 7)")
    #expect(
      ToolErrorText.sentence(ResolveKitFunctionError.invalidArguments("'a' is missing."))
        == "Invalid function arguments: 'a' is missing.")
    let error = NSError(domain: "test", code: 1, userInfo: [NSLocalizedDescriptionKey: "not now"])
    #expect(ToolErrorText.sentence(error) == "not now")
  }
}
