import ResolveKitCore
import Testing

@testable import CodexWorkersClient

/// optional local event cache for recent timeline continuity
struct WorkerEventCacheTests {
  private func cache(_ folder: TemporaryFolder, account: String = "a") -> WorkerEventCache {
    WorkerEventCache(
      folder: folder.path, server: "https://a.test", account: account, worker: ScriptedRuntime.worker)
  }

  @Test func whatWasAddedIsThereAfterAKill() throws {
    let folder = try TemporaryFolder()
    let first = cache(folder)
    for number in 5...8 { first.add(WatchScript.event(Int64(number))) }
    // Nothing is closed or flushed: as a killed process leaves it.
    withExtendedLifetime(first) {
      #expect(cache(folder).events == (5...8).map { WatchScript.event(Int64($0)) })
    }
    let name = try #require(folder.names.first)
    #expect(try folder.mode(name) == 0o600)
    #expect(cache(folder, account: "b").events.isEmpty)
  }

  @Test func aTornLineIsReadAgainFromTheServer() throws {
    let folder = try TemporaryFolder()
    do {
      let first = cache(folder)
      for number in 1...3 { first.add(WatchScript.event(Int64(number))) }
    }
    let name = try #require(folder.names.first)
    let whole = folder.bytes(name)
    for length in 0..<whole.count {
      folder.write(Array(whole[..<length]), to: name)
      let kept = cache(folder)
      #expect(kept.events == (0..<kept.events.count).map { WatchScript.event(Int64($0) + 1) })
      let next = (kept.cursor ?? 0) + 1
      kept.add(WatchScript.event(next))
      #expect(cache(folder).cursor == next)
    }
  }

  @Test func itIsBoundedAndKeepsTheNewest() throws {
    let folder = try TemporaryFolder()
    let cache = cache(folder)
    let text = JSONValue.string(String(repeating: "x", count: 20_000))
    for number in 1...600 { cache.add(WatchScript.event(Int64(number), ["text": text])) }
    let name = try #require(folder.names.first)
    #expect(folder.bytes(name).count <= WorkerEventCache.maximumBytes)
    #expect(cache.cursor == 600)
    #expect(self.cache(folder).cursor == 600)
    for number in 601...4_000 { cache.add(WatchScript.event(Int64(number))) }
    #expect(cache.events.count <= WorkerEventCache.maximumEvents)
    #expect(self.cache(folder).events == cache.events)
  }

  @Test func aGapRestartsIt() throws {
    let folder = try TemporaryFolder()
    let cache = cache(folder)
    cache.add(WatchScript.event(1))
    cache.add(WatchScript.event(9))
    #expect(cache.events == [WatchScript.event(9)])
    #expect(self.cache(folder).events == [WatchScript.event(9)])
    cache.clear()
    #expect(self.cache(folder).cursor == nil)
  }

  @Test func aFileThatOthersMayWriteIsNotBelieved() throws {
    let folder = try TemporaryFolder()
    do { cache(folder).add(WatchScript.event(1)) }
    let name = try #require(folder.names.first)
    folder.write(folder.bytes(name), to: "copy")
    folder.write(folder.bytes(name), to: name, mode: 0o666)
    #expect(cache(folder).events.isEmpty)
  }
}
