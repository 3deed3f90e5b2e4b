import Foundation
import LinkEmulator

/// Does what a timeline says to the two sides of a link.
struct StreamingIncidents {
  private static let device = "link0"
  private static let otherAddress = "198.18.0.101"
  private static let toolLimit = Duration.seconds(5)

  var link: EmulatedLink
  /// The folder of the tools' own output.
  var folder: CellFolder

  /// On what comes in at both ends: what is dropped on its way out is an error that is reported to the sender.
  func drop(_ filter: StreamingTimeline.Filter?) throws {
    var rules = "table inet incident {}; delete table inet incident;"
    if let filter {
      let matched = filter == .udp ? "meta l4proto udp " : ""
      rules += " table inet incident { chain input { type filter hook input priority -300; "
      rules += "iifname \(Self.device) \(matched)drop; }; }"
    }
    for side in LinkSide.allCases { try run("nft", [rules], on: side) }
  }

  /// The client's address goes, and another one is there, as when a network gives out a new one.
  func moveClient() throws {
    // As a /32, so that it does not go with the other address, whose network it is of.
    try run("ip", ["address", "add", Self.otherAddress + "/32", "dev", Self.device], on: .client)
    try run("ip", ["address", "delete", LinkSide.client.address + "/24", "dev", Self.device], on: .client)
  }

  private func run(_ program: String, _ arguments: [String], on side: LinkSide) throws {
    let log = NamespacedCommand.Output.file(path: "\(folder.path)/\(program)-\(side.rawValue).txt")
    let process = try link.start(NamespacedCommand(program, arguments, output: log, error: log), on: side)
    guard let ending = process.waitUntilEnded(timeout: Self.toolLimit) else {
      process.kill()
      throw StreamingError("'\(program)' did not end within \(Self.toolLimit) on the \(side.rawValue)'s side.")
    }
    guard ending.isSuccess else {
      throw StreamingError(
        "'\(program)' \(ending.sentence) on the \(side.rawValue)'s side; \(folder.path) has what it said.")
    }
  }
}

/// The reason for which a run could not be made, in a sentence.
struct StreamingError: Error, Hashable, Sendable, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
