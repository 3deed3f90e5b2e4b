import StreamTransport
import Testing

@Suite struct TransportRandomTests {
  /// Version and variant are those of RFC 9562 § 4, whatever the source gives.
  @Test(arguments: [
    (UInt64.min, "00000000-0000-4000-8000-000000000000"), (.max, "ffffffff-ffff-4fff-bfff-ffffffffffff"),
    (0x0123_4567_89ab_cdef, "01234567-89ab-4def-8123-456789abcdef"),
  ])
  func aUUIDIsOfVersion4(bits: UInt64, uuid: String) {
    #expect(TransportRandom { bits }.uuid() == uuid)
  }

  @Test func theSystemsUUIDsDiffer() {
    #expect(Set((0..<100).map { _ in TransportRandom.system.uuid() }).count == 100)
  }
}
