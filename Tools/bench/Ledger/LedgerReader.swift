import ArgumentParser
import EventLedger
import ToolSupport

/// A reader in a process of its own, which `bench ledger` starts.
struct LedgerReader: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ledger-reader", abstract: "Follows a stream and reports how late each event is.", shouldDisplay: false
  )

  @Argument(help: "The database's address.") var address: String
  @Argument(help: "The stream.") var stream: String
  @Argument(help: "Events after which it ends.") var count: Int

  func run() async throws {
    let subject = try await LedgerSubject.open(address)
    let feed = LedgerFeed(subject.ledger)
    var cursor = try await subject.ledger.extent(of: stream).last
    StandardOutput.write("ready")
    var left = count
    for try await event in feed.follow(stream, after: cursor) {
      let now = LedgerMoment.now
      cursor = event.sequence
      if let then = Int64(String(decoding: event.payload.prefix { $0 != 0x20 }, as: UTF8.self)) {
        StandardOutput.write("\(now - then)")
      }
      left -= 1
      if left <= 0 { break }
    }
    feed.close()
  }
}
