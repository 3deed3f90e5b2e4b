import ArgumentParser
import Testing

@testable import latency_lab

struct ClientArmTests {
  @Test(arguments: ClientArm.allCases)
  func everyArmSaysWhatItCannotDo(_ arm: ClientArm) {
    #expect(ClientArm.unsupported(for: arm).contains { $0.contains("resumed TLS") } == (arm != .h3Resumed))
    #expect(ClientArm.unsupported(for: arm).contains { $0.contains("0-RTT") } == (arm != .h3ZeroRTT))
    #expect(!ClientArm.notes(for: arm).isEmpty)
  }

  @Test(arguments: [
    ["--arm", "h4", "--plan", "p", "--out", "o"], ["--arm", "h3", "--out", "o"], ["--arm", "h3", "--plan", "p"],
  ])
  func clientsOptionsAreChecked(_ arguments: [String]) {
    #expect(throws: (any Error).self) { try ClientCommand.parse(arguments) }
  }

  @Test(arguments: [
    [], ["--schedule", "s"], ["--schedule", "s", "--address", "127.0.0.1"],
    ["--schedule", "s", "--address", "127.0.0.1", "--certificate", "c"], ["--schedule", "s", "--plain-port", "65536"],
    ["--schedule", "s", "--plain-port", "1", "--certificate", "c"],
  ])
  func originsOptionsAreChecked(_ arguments: [String]) {
    #expect(throws: (any Error).self) { try OriginCommand.parse(arguments) }
  }

  @Test func originsOptionsAreTaken() throws {
    let command = try OriginCommand.parse([
      "--schedule", "s", "--address", "::1", "--port", "4433", "--certificate", "c", "--key", "k", "--plain-port",
      "8080",
    ])
    #expect(command.port == 4_433 && command.plainPort == 8_080)
  }
}
