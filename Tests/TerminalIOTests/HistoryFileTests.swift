import Foundation
import Testing

@testable import TerminalIO

struct HistoryFileTests {
  private func withFile(_ body: (HistoryFile, String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "history-\(UUID().uuidString)").path
    defer { for end in ["", ".lock"] { try? FileManager.default.removeItem(atPath: path + end) } }
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

  @Test func theNewestAreReadWhereTheFileIsTooLarge() throws {
    try withFile { history, path in
      let long = String(repeating: "x", count: 30_000)
      let lines = (1...400).map { "\"\($0) \(long)\"\n" }.joined()
      try Data(lines.utf8).write(to: URL(filePath: path))
      let messages = history.load()
      #expect(messages.last?.hasPrefix("400 ") == true && messages.count > 200)
      #expect(try Data(contentsOf: URL(filePath: path)).count <= HistoryFile.sizeLimit)
      #expect(history.load() == messages)
    }
  }

  @Test func nothingIsLostWhileTheFileIsCut() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "history-\(UUID().uuidString)").path
    defer { for end in ["", ".lock"] { try? FileManager.default.removeItem(atPath: path + end) } }
    let lines = (1...2 * HistoryFile.limit).map { "\"old \($0)\"\n" }.joined()
    try Data(lines.utf8).write(to: URL(filePath: path))
    await withTaskGroup(of: Void.self) { group in
      for writer in 1...4 {
        group.addTask { for number in 1...50 { HistoryFile(path: path).append("\(writer) \(number)") } }
      }
      group.addTask { for _ in 1...20 { _ = HistoryFile(path: path).load() } }
    }
    #expect(HistoryFile(path: path).load().count { !$0.hasPrefix("old") } == 200)
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
