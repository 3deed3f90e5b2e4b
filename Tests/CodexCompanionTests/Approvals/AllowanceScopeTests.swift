import ResolveKitCore
import Testing

@testable import CodexCompanion

@Suite struct AllowanceScopeTests {
  private static let command: JSONObject = [
    "command": "rm -r build", "cwd": "/work", "threadId": "t1", "turnId": "u1", "itemId": "i1", "startedAtMs": 1,
    "reason": "to tidy up", "environmentId": .null,
  ]

  private func scope(_ changes: JSONObject) throws -> AllowanceScope {
    try #require(AllowanceScope.command(Self.command.merging(changes) { $1 }))
  }

  @Test func aCommandIsTheSameWhereverItIsAsked() throws {
    let scope = try scope([:])
    #expect(
      try self.scope(["threadId": "t2", "turnId": "u2", "itemId": "i2", "startedAtMs": 2, "reason": .null]) == scope)
    #expect(scope.summary == #"the command "rm -r build" in "/work""#)
    #expect(!scope.mayBeKept)
  }

  @Test(
    arguments: [
      ["command": "rm -r build "], ["command": "rm -r  build"], ["command": "rm -r build\u{200B}"], ["cwd": "/work/"],
      ["cwd": "/"], ["additionalPermissions": ["network": true]], ["environmentId": "other"],
      ["networkApprovalContext": ["host": "example.org"]], ["somethingOfALaterVersion": 1],
    ] as [JSONObject])
  func anyDifferenceInWhatAYesPermitsIsAnotherScope(changes: JSONObject) throws {
    #expect(try scope(changes).id != scope([:]).id)
  }

  @Test(arguments: ["command", "cwd"])
  func withoutCommandOrFolderThereIsNone(name: String) {
    var question = Self.command
    question[name] = nil
    #expect(AllowanceScope.command(question) == nil)
    question[name] = ["rm"]
    #expect(AllowanceScope.command(question) == nil)
  }

  @Test func aToolIsBoundToServerNameAndDefinition() {
    let definition: JSONValue = [
      "name": "poke", "inputSchema": ["type": "object"], "annotations": ["readOnlyHint": false],
    ]
    let scope = AllowanceScope.mcpTool(server: "tiny", tool: "poke", definition: definition)
    #expect(scope.mayBeKept)
    #expect(scope == AllowanceScope.mcpTool(server: "tiny", tool: "poke", definition: definition))
    let others = [
      AllowanceScope.mcpTool(server: "Tiny", tool: "poke", definition: definition),
      AllowanceScope.mcpTool(server: "tiny", tool: "poke2", definition: definition),
      AllowanceScope.mcpTool(server: "tin", tool: "ypoke", definition: definition),
      AllowanceScope.mcpTool(server: "tiny", tool: "poke", definition: ["name": "poke"]),
    ]
    #expect(Set(others.map(\.id) + [scope.id]).count == 5)
  }

  @Test func changesAreOfExactlyTheseFiles() {
    #expect(AllowanceScope.fileChange(paths: []) == nil)
    let scope = AllowanceScope.fileChange(paths: ["/a", "/b"])
    #expect(scope == AllowanceScope.fileChange(paths: ["/b", "/a", "/b"]))
    #expect(scope?.id != AllowanceScope.fileChange(paths: ["/a"])?.id)
    #expect(scope?.id != AllowanceScope.fileChange(paths: ["/a", "/b", "/c"])?.id)
    #expect(scope?.id != AllowanceScope.fileChange(paths: ["/a\", \"/b"])?.id)
  }

  @Test func aSummaryIsShortAndSteersNoTerminal() throws {
    let scope = try scope(["command": .string("\u{1B}[2J" + String(repeating: "x", count: 100_000))])
    #expect(scope.summary.count == AllowanceScope.maximumSummary)
    #expect(!scope.summary.contains("\u{1B}"))
  }
}
