import CodexWorkersClient
import EventLedger
import ResolveKitCore
import Testing

@testable import CodexCompanion

/// The policy and the book, in memory and on disk.
struct MirrorStateTests {
  private let account = "a@example.test"

  @Test func thePolicyIsForEachAccountAndWorkspace() throws {
    let folder = try TemporaryFolder()
    let file = MirrorPolicyFile(path: folder.file("policy.json"))
    #expect(try file.read() == MirrorPolicy())
    try file.change { $0.set("/work/a", for: account, isOn: true, at: WallTime(microseconds: 7)) }
    try file.change { $0.set("/work/a", for: account, isOn: true, at: WallTime(microseconds: 9)) }
    let policy = try file.read()
    #expect(policy.start(of: "/work/a", for: account) == WallTime(microseconds: 7))
    #expect(policy.start(of: "/work/a/b", for: account) == nil)
    #expect(policy.start(of: "/work/a", for: "b@example.test") == nil)
    #expect(try folder.mode("policy.json") == 0o600)
    try file.change { $0.set("/work/a", for: account, isOn: false, at: WallTime(microseconds: 9)) }
    #expect(try file.read() == MirrorPolicy())
  }

  @Test func aPolicyThatOthersMayWriteOrThatIsDamagedMirrorsNothing() throws {
    let folder = try TemporaryFolder()
    let file = MirrorPolicyFile(path: folder.file("policy.json"))
    try folder.write("{}", to: "policy.json")
    #expect(throws: StoreError.self) { try file.read() }
    try folder.write(#"{"format":"companion-mirror-policy","version":1,"entries":[]}"#, to: "policy.json", mode: 0o644)
    #expect(throws: StoreError.self) { try file.read() }
  }

  @Test func thePolicyIsBounded() {
    var policy = MirrorPolicy()
    for number in 0..<MirrorPolicy.maximumEntries {
      let isTaken = policy.set("/\(number)", for: account, isOn: true, at: WallTime(microseconds: 1))
      #expect(isTaken)
    }
    let isTaken = policy.set("/more", for: account, isOn: true, at: WallTime(microseconds: 1))
    #expect(!isTaken)
  }

  @Test func theBookSurvivesAsJSON() throws {
    var book = MirrorBook(server: "s", worker: "w", ledger: "l")
    book.inbound = 12
    book.set("c", to: 5)
    book.begin("begun")
    book.begin("ended")
    book.end("ended", type: "worker.response", payload: ["a": 1])
    book.begin("done")
    book.finish("done")
    let copy = try #require(
      MirrorBook(try JSONValue(parsing: JSONValue.object(book.members).serialized()).objectValue ?? [:]))
    #expect(copy == book)
    #expect(copy.standing(of: "begun") == .begun)
    #expect(copy.standing(of: "ended") == .ended(type: "worker.response", payload: ["a": 1]))
    #expect(copy.standing(of: "done") == .done)
    #expect(copy.standing(of: "new") == .new)
  }

  @Test func theBookIsBounded() {
    var book = MirrorBook(server: "s", worker: "w", ledger: "l")
    for number in 0..<MirrorBook.maximumChats + 10 { book.set("c\(number)", to: 1) }
    for number in 0..<MirrorBook.maximumDone + 10 {
      book.begin("r\(number)")
      book.finish("r\(number)")
    }
    #expect(book.members["chats"]?.objectValue?.count == MirrorBook.maximumChats)
    #expect(book.members["done"]?.arrayValue?.count == MirrorBook.maximumDone)
    #expect(book.standing(of: "r\(MirrorBook.maximumDone)") == .done)
  }

  @Test(arguments: [
    (WorkersError.Code.unavailable, "", MirrorVerdict.again), (.throttled, "", .again), (.unreachable, "", .again),
    (.signInNeeded, "", .again), (.conflict, "(worker is stopped; create or reattach to resume)", .stopped),
    (.conflict, "(worker is not running)", .stopped), (.conflict, "(request already has its receipt)", .drop),
    (.invalid, "", .drop), (.forbidden, "", .startOver), (.notFound, "", .startOver),
  ])
  func eachRefusalHasItsConsequence(code: WorkersError.Code, message: String, verdict: MirrorVerdict) {
    #expect(MirrorVerdict(WorkersError(code, message)) == verdict)
  }

  @Test func aLargeEventIsCutAndFitsTheRuntime() {
    let event = ChatEvent(.itemCompleted, ["text": .string(String(repeating: "x", count: 1 << 20))])
    let draft = MirrorEvent.draft(event, sequence: 1, chat: "c", at: WallTime(microseconds: 1))
    #expect(JSONValue.object(draft.payload).serialized().count < 300 << 10)
  }
}
