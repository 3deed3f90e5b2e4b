import Foundation
import LinkEmulator
import LinkModel
import Testing

/// Refusals before anything is started, so without privileges.
@Suite struct CommandTests {
  @Test func aProgramThatIsNotInPATHIsNamed() {
    let command = NamespacedCommand("no-such-program", environment: ["PATH": "/usr/bin:/bin"])
    let error = #expect(throws: EmulatorError.self) { try CommandResolver(command) }
    #expect(error?.code == .notExecutable)
    #expect(error?.message.contains("'no-such-program'") == true)
    #expect(error?.message.contains("/usr/bin:/bin") == true)
  }

  @Test func aNameIsLookedUpInTheCommandsOwnPATH() throws {
    let folder = try TemporaryFolder()
    let file = folder.path("tool")
    try Data("#!/bin/sh\n".utf8).write(to: URL(filePath: file))
    let command = NamespacedCommand("tool", ["a", "b"], environment: ["PATH": "/nowhere:\(folder.root)", "A": "1"])
    // Not yet executable, so passed over.
    #expect(throws: EmulatorError.self) { try CommandResolver(command) }
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
    let resolved = try CommandResolver(command)
    #expect(resolved.path == file)
    #expect(resolved.arguments == ["tool", "a", "b"])
    #expect(resolved.environment == ["A=1", "PATH=/nowhere:\(folder.root)"])
  }

  @Test(arguments: [
    NamespacedCommand(""), NamespacedCommand("/bin/sh", ["a\0b"]), NamespacedCommand("/bin/sh\0"),
    NamespacedCommand("/bin/sh", environment: ["": "1"]), NamespacedCommand("/bin/sh", environment: ["A=B": "1"]),
    NamespacedCommand("/bin/sh", environment: ["A": "1\0"]), NamespacedCommand("/bin/sh", directory: "/\0"),
  ]) func whatExecveCannotTakeIsRefused(_ command: NamespacedCommand) {
    let error = #expect(throws: EmulatorError.self) { try CommandResolver(command) }
    #expect(error?.code == .invalidArgument)
  }

  @Test func conditionsThatMakeNoSenseAreRefusedBeforeAnythingIsMade() {
    let conditions = LinkConditions(bothWays: DirectionConditions(oneWayDelayMilliseconds: -1))
    let error = #expect(throws: EmulatorError.self) {
      try EmulatedLink(conditions: conditions, seed: LinkSeed(scenario: 1, repetition: 1))
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.cause is LinkConditionsError)
  }

  @Test func factsAreGatheredWithoutPrivileges() throws {
    let facts = try SystemFacts.gather()
    #expect(facts.kernel.hasPrefix("Linux "))
    #expect(facts.processorCount > 0)
    #expect(!facts.congestionControls.isEmpty)
    #expect(facts.mayMakeLinks || facts.privileges.count > 20)
    if let idle = facts.idleShare { #expect((0...1).contains(idle)) }
  }
}
