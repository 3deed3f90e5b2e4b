import Synchronization
import Testing

@testable import StreamTransport

struct SharedPlacesTests {
  /// The names of the connections that were ended, in order.
  private final class Ends: Sendable {
    private let names = Mutex<[String]>([])

    var all: [String] { names.withLock { $0 } }

    func add(_ name: String) { names.withLock { $0.append(name) } }
  }

  private static func prefix(_ text: String) throws -> SourcePrefix { try #require(SourcePrefix(literal: text)) }

  private static func take(
    _ name: String, from source: String, _ places: SharedPlaces, _ ends: Ends
  ) throws -> SharedPlaces.Place? {
    places.take(from: try prefix(source)) { ends.add(name) }
  }

  @Test func oneSourceMayHaveAllPlacesUntilAnotherComes() throws {
    let places = SharedPlaces(3)
    let ends = Ends()
    for name in ["a", "b", "c"] { _ = try #require(try Self.take(name, from: "192.0.2.1", places, ends)) }
    #expect(try Self.take("d", from: "192.0.2.1", places, ends) == nil)
    #expect(ends.all.isEmpty)
    _ = try #require(try Self.take("e", from: "192.0.2.2", places, ends))
    #expect(ends.all == ["c"])
    // It would have as many as the other then.
    #expect(try Self.take("f", from: "192.0.2.2", places, ends) == nil)
    _ = try #require(try Self.take("g", from: "2001:db8::1", places, ends))
    #expect(ends.all == ["c", "b"])
    // All have one.
    #expect(try Self.take("h", from: "192.0.2.3", places, ends) == nil)
  }

  @Test func aPlaceIsGivenBackOnce() throws {
    let places = SharedPlaces(2)
    let ends = Ends()
    let first = try #require(try Self.take("a", from: "192.0.2.1", places, ends))
    let second = try #require(try Self.take("b", from: "192.0.2.1", places, ends))
    _ = try #require(try Self.take("c", from: "192.0.2.2", places, ends))
    #expect(ends.all == ["b"])
    // The one that was ended has none any more.
    places.leave(second)
    #expect(try Self.take("d", from: "192.0.2.1", places, ends) == nil)
    places.leave(first)
    places.leave(first)
    _ = try #require(try Self.take("e", from: "192.0.2.1", places, ends))
    #expect(try Self.take("f", from: "192.0.2.1", places, ends) == nil)
    #expect(ends.all == ["b"])
  }

  @Test func thereMayBeNone() throws {
    #expect(try Self.take("a", from: "192.0.2.1", SharedPlaces(0), Ends()) == nil)
  }
}
