import Foundation
import Testing

@testable import ResolveKitUI

struct HistoryFileTests {
  private func withFile(_ body: (HistoryFile, String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "history-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(HistoryFile(path: path), path)
  }

  @Test func messagesComeBackInOrderWithTheirLines() throws {
    try withFile { history, path in
      #expect(history.load() == [])
      for message in ["one", "two\nlines \"quoted\"", " hidden", "", "é\u{1B}"] { history.append(message) }
      #expect(history.load() == ["one", "two\nlines \"quoted\"", "é\u{1B}"])
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
  }

  @Test func whatIsNoMessageIsPassedOver() throws {
    try withFile { history, path in
      try Data("\"good\"\nnonsense\n{}\n\"half".utf8).write(to: URL(filePath: path))
      #expect(history.load() == ["good"])
    }
  }

  @Test func theFileIsCutToTheNewest() throws {
    try withFile { history, path in
      let count = 2 * HistoryFile.limit
      let lines = (1...count).map { "\"\($0)\"\n" }.joined()
      try Data(lines.utf8).write(to: URL(filePath: path))
      #expect(history.load() == ((count - HistoryFile.limit + 1)...count).map { "\($0)" })
      #expect(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count == HistoryFile.limit)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
  }
}
