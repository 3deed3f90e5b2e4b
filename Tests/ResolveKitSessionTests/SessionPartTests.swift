import Foundation
import ResolveKitCore
import ResolveKitNetworking
import StreamTransport
import TestSupport
import Testing

@testable import ResolveKitSession

struct TokenRenewalTests {
  @Test func aRefusedRenewalIsNotTriedAgain() {
    #expect(TokenRenewal.wait(after: RequestFailure(status: 404, message: "gone")) == nil)
    #expect(TokenRenewal.wait(after: RequestFailure(status: 503, message: "busy")) == TokenRenewal.pause)
  }

  @Test(.timeLimit(.minutes(10))) func aTokenIsRenewedBeforeItEndsUntilThatHelpsNoMore() async {
    let clock = InstantClock(upTo: .seconds(3600))
    var renewal = TokenRenewal(clock: TransportClock(clock))
    let start = clock.now
    let (waits, report) = AsyncStream.makeStream(of: Duration.self)
    let answers = AnswerList([TokenRenewal.pause, nil])
    renewal.schedule {
      report.yield(start.duration(to: clock.now))
      let next = answers.next()
      if next == nil { report.finish() }
      return next
    }
    var times: [Duration] = []
    for await time in waits { times.append(time) }
    #expect(times == [TokenRenewal.interval, TokenRenewal.interval + TokenRenewal.pause])
    #expect(TokenRenewal.interval < TokenRenewal.tokenLifetime)
    renewal.cancel()
  }
}

struct ShownMessagesTests {
  @Test func aMessageIsShownOnce() {
    var shown = ShownMessages()
    let news = [shown.insert("a"), shown.insert("b"), shown.insert("a")]
    #expect(news == [true, true, false])
  }
}

struct SessionJournalsTests {
  private let origin = JournalEntry.origin(server: "s", deviceID: "d")

  private func journals(
    _ resumption: ResolveKitJournalConfiguration.Resumption, in folder: ResolveKitJournalFolder
  ) -> SessionJournals {
    SessionJournals(ResolveKitJournalConfiguration(folder: folder, resumption: resumption), server: "s")
  }

  private func open(_ id: String, _ folder: ResolveKitJournalFolder) throws(JournalError) -> SessionJournal {
    try folder.open(id) { _, _ in }
  }

  private func withFolder(_ body: (ResolveKitJournalFolder) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "journals-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(ResolveKitJournalFolder(path: path))
  }

  @Test func aNewSessionsJournalIsUsedFromItsFirstRecord() async throws {
    try await withFolder { folder in
      var journals = journals(.latest, in: folder)
      let nothing = try journals.takeUp(known: nil, origin: origin, at: 1, opening: open)
      guard case .nothing = nothing else { return #expect(Bool(false), "there is no journal yet") }
      let image = try journals.prepare("one", origin: origin, at: 1, opening: open)
      #expect(image == nil && journals.inUse == nil, "the session is about to be used")
      journals.keep([.session(id: "one")], at: 2)
      #expect(journals.inUse?.sessionID == "one")
      let isAdmitted = journals.admits(.postMessage(OutgoingMessage(requestID: "r", text: "x")))
      #expect(!isAdmitted, "nothing is known to be on the disk")
      journals.leave()
      await journals.closing?.value
      let isFree = journals.admits(.postMessage(OutgoingMessage(requestID: "r", text: "x")))
      #expect(isFree && journals.inUse == nil)

      var next = self.journals(.latest, in: folder)
      guard case .session(let image) = try next.takeUp(known: nil, origin: origin, at: 3, opening: open) else {
        return #expect(Bool(false), "the session is kept")
      }
      #expect(image.sessionID == "one" && image.deviceID == "d")
      next.leave()
      await next.closing?.value
    }
  }

  @Test func afterANewStartWasAskedForNoSessionIsTakenUp() async throws {
    try await withFolder { folder in
      var first = journals(.latest, in: folder)
      _ = try first.prepare("one", origin: origin, at: 1, opening: open)
      first.keep([.session(id: "one")], at: 2)
      first.leave()
      await first.closing?.value
      var next = journals(.latest, in: folder)
      next.startNewSession()
      guard case .nothing = try next.takeUp(known: nil, origin: origin, at: 3, opening: open) else {
        return #expect(Bool(false), "a new session was asked for")
      }
    }
  }
}
