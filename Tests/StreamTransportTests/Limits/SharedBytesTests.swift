import Synchronization
import Testing

@testable import StreamTransport

struct SharedBytesTests {
  /// The names of those that were told to end, in order.
  private final class Told: Sendable {
    private let names = Mutex<[String]>([])

    var all: [String] { names.withLock { $0 } }

    func add(_ name: String) { names.withLock { $0.append(name) } }
  }

  private static func join(
    _ name: String, from source: String, _ bytes: SharedBytes, _ told: Told
  ) throws -> SharedBytes.Holder {
    bytes.join(from: try #require(SourcePrefix(literal: source))) { told.add(name) }
  }

  @Test func beyondTheLimitTheLargestOfTheHeaviestSourceEnds() throws {
    let (bytes, told) = (SharedBytes(100), Told())
    let one = try Self.join("one", from: "192.0.2.1", bytes, told)
    let two = try Self.join("two", from: "192.0.2.1", bytes, told)
    let other = try Self.join("other", from: "192.0.2.2", bytes, told)
    bytes.set(30, of: one)
    bytes.set(25, of: two)
    bytes.set(45, of: other)
    #expect(bytes.total == 100 && told.all.isEmpty)
    // The other has more than each of the two, and less than both.
    bytes.set(50, of: other)
    #expect(told.all == ["one"] && bytes.total == 75)
    // What it still reports counts no more, and so does its end.
    bytes.set(99, of: one)
    bytes.leave(one)
    #expect(bytes.total == 75 && told.all == ["one"])
    bytes.leave(two)
    bytes.leave(other)
    #expect(bytes.total == 0)
  }

  /// As behind a reverse proxy.
  @Test func oneSourceMayHoldAll() throws {
    let (bytes, told) = (SharedBytes(100), Told())
    let one = try Self.join("one", from: "192.0.2.1", bytes, told)
    bytes.set(100, of: one)
    #expect(told.all.isEmpty)
    bytes.set(101, of: one)
    #expect(told.all == ["one"] && bytes.total == 0)
  }

  @Test func whoLeftCountsNoMore() throws {
    let (bytes, told) = (SharedBytes(100), Told())
    let one = try Self.join("one", from: "192.0.2.1", bytes, told)
    bytes.leave(one)
    bytes.set(1_000, of: one)
    #expect(bytes.total == 0 && told.all.isEmpty)
  }
}
