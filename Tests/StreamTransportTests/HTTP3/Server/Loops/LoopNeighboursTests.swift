import HTTP3Engine
import Synchronization
import TestSupport
import Testing

@testable import StreamTransport

/// What a loop does with datagrams that are for another.
@Suite struct LoopNeighboursTests {
  private static let path = NetworkPath(local: .loopback(port: 443), remote: .loopback(port: 50_000))

  private static func datagram(_ count: Int) -> DatagramBox.Datagram {
    DatagramBox.Datagram(bytes: [UInt8](repeating: 1, count: count), path: path, ecn: .notECT)
  }

  /// A box that counts the calls of its owner.
  private final class Owner: Sendable {
    let box = DatagramBox()
    private let count = Mutex(0)
    var calls: Int { count.withLock { $0 } }

    init() {
      box.open { [weak self] in self?.count.withLock { $0 += 1 } }
    }
  }

  @Test func theOwnerIsNotifiedOnceForAllThatWait() {
    let owner = Owner()
    for round in 1...3 {
      for size in 1...5 { #expect(owner.box.put(Self.datagram(size))) }
      #expect(owner.calls == round)
      #expect(owner.box.takeAll().map(\.bytes.count) == [1, 2, 3, 4, 5])
      #expect(owner.box.takeAll().isEmpty)
    }
  }

  @Test func theNumberOfDatagramsIsLimited() {
    let owner = Owner()
    for _ in 0..<DatagramBox.mostDatagrams { #expect(owner.box.put(Self.datagram(21))) }
    #expect(!owner.box.put(Self.datagram(21)))
    #expect(owner.box.takeAll().count == DatagramBox.mostDatagrams)
    #expect(owner.box.put(Self.datagram(21)))
  }

  @Test func theirBytesAreLimited() {
    let owner = Owner()
    for _ in 0..<32 { #expect(owner.box.put(Self.datagram(DatagramBox.mostBytes / 32))) }
    #expect(!owner.box.put(Self.datagram(1)))
    #expect(owner.box.takeAll().count == 32)
    #expect(owner.box.put(Self.datagram(DatagramBox.mostBytes)))
  }

  @Test func aClosedLoopTakesNothing() {
    let (unopened, owner) = (DatagramBox(), Owner())
    #expect(owner.box.put(Self.datagram(21)))
    owner.box.close()
    for box in [unopened, owner.box] {
      #expect(!box.put(Self.datagram(21)))
      #expect(box.takeAll().isEmpty)
    }
    #expect(owner.calls == 1)
  }

  @Test func eachDatagramComesToTheLoopThatItIsFor() {
    let steering = LoopSteering(loopCount: 3, multiplier: 0x9e37_79b9)
    let loops = LoopNeighbours.all(steering)
    for loop in loops.dropLast() { loop.box.open {} }
    let random = RandomSource(SeededGenerator(seed: 9))
    for index in 0..<300 {
      let bytes = random.bytes(40)
      let (receiver, target) = (loops[index % 3], bytes.withUnsafeBytes { steering.loop(of: $0) })
      let outcome = bytes.withUnsafeBytes { receiver.handOn($0, Self.path, .ect0) }
      // The last one is closed.
      let expected: LoopNeighbours.Outcome = target == index % 3 ? .kept : target == 2 ? .lost : .handedOn
      #expect(outcome == expected)
      for loop in loops {
        let came = loop.box.takeAll()
        guard outcome == .handedOn, loop.place.index == target else {
          #expect(came.isEmpty)
          continue
        }
        #expect(came.map(\.bytes) == [bytes] && came[0].path == Self.path && came[0].ecn == .ect0)
      }
    }
  }
}
