import SwiftSyntax
import Testing

@testable import ResolveKitExpansion

struct DocumentationCommentTests {
  private func parameters(ofBlock text: String) -> [String: String] {
    DocumentationComment(Trivia(pieces: [.docBlockComment(text)])).parameters
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func blocksAreReadWithAndWithoutAFrame(lineBreak: String) {
    let plain = ["/**", "  Sends.", "", "  * Parameter a: First", "    and more", "  * Parameter b: Second", "  */"]
    let framed = [
      "/**", " * Sends.", " *", " * - Parameter a: First", " *   and more", " * - Parameter b: Second", " */",
    ]
    for lines in [plain, framed] {
      #expect(parameters(ofBlock: lines.joined(separator: lineBreak)) == ["a": "First and more", "b": "Second"])
    }
  }

  @Test func aBlockMayBeEmpty() {
    #expect(parameters(ofBlock: "/***/").isEmpty && parameters(ofBlock: "/** */").isEmpty)
  }
}
