import ArgumentParser
import Foundation
import Testing

@testable import remote

/// Parameters that a person writes in an editor.
struct JSONEditorTests {
  /// - Parameter script: a command that is given the file's path behind it.
  private func edit(_ script: String?, visual: String? = nil, hasTerminal: Bool = true) async throws -> String {
    var environment: [String: String] = [:]
    environment["EDITOR"] = script
    environment["VISUAL"] = visual
    return try await JSONEditor(environment: environment, hasTerminal: hasTerminal).edit(#"{"a": 1}"#)
  }

  @Test func whatIsSavedIsReturned() async throws {
    #expect(try await edit("true") == "{\"a\": 1}\n")
    #expect(try await edit(#"sed -i 's/1/"it is"/'"#) == "{\"a\": \"it is\"}\n")
  }

  @Test func theVisualEditorIsPreferredAndAnEmptyNameIsNone() async throws {
    #expect(try await edit("false", visual: "true") == "{\"a\": 1}\n")
    #expect(try await edit("true", visual: "") == "{\"a\": 1}\n")
  }

  @Test(arguments: ["false", "/nowhere/editor", "rm", "sh -c 'truncate -s 2000000 \"$1\"' -"])
  func anEditorThatFailsSendsNothing(_ editor: String) async {
    await #expect(throws: ValidationError.self) { try await edit(editor) }
  }

  @Test func theFileIsThePersonsAloneAndGoesAway() async throws {
    let name = FileManager.default.temporaryDirectory.appending(path: "editor-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: name) }
    let path = name.path(percentEncoded: false)
    _ = try await edit("sh -c 'stat -c \"%a %n\" \"$1\" > \(path)' -")
    let said = try String(contentsOf: name, encoding: .utf8).split(separator: " ", maxSplits: 1)
    #expect(said.first == "600")
    let file = said.last?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    #expect(file.hasSuffix(".json") && !FileManager.default.fileExists(atPath: file))
  }

  @Test func withoutATerminalThereIsNoEditor() async {
    await #expect(throws: ValidationError.self) { try await edit("true", hasTerminal: false) }
  }
}
