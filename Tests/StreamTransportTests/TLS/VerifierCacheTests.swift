import HTTP3Engine
import TestSupport
import Testing

@testable import StreamTransport

@Suite struct VerifierCacheTests {
  @Test func connectionsShareOneUntilItIsOld() throws {
    let clock = ManualClock()
    let cache = VerifierCache(lifetime: .seconds(60), clock: TransportClock(clock))
    let pin = CertificateVerifier.Trust.pinned(sha256: [UInt8](repeating: 1, count: 32))
    let first = try cache.verifier(pin)
    clock.advance(by: .seconds(59))
    #expect(try cache.verifier(pin) === first)
    clock.advance(by: .seconds(1))
    let second = try cache.verifier(pin)
    #expect(second !== first)
    clock.advance(by: .seconds(59))
    #expect(try cache.verifier(pin) === second)
  }

  @Test func anotherTrustIsAnotherVerifier() throws {
    let cache = VerifierCache(lifetime: .seconds(60))
    let verifiers = try (0..<20).map { number in
      try cache.verifier(.pinned(sha256: [UInt8](repeating: number, count: 32)))
    }
    #expect(Set(verifiers.map(ObjectIdentifier.init)).count == 20)
  }

  @Test func whatCannotBeReadIsNotKept() throws {
    let cache = VerifierCache(lifetime: .seconds(60))
    for _ in 0..<2 {
      #expect(throws: HTTP3Error.self) { try cache.verifier(.authorities(pem: Array("nothing".utf8))) }
    }
  }

  @Test func transportsOfOneTrustHaveOneVerifier() throws {
    let tls = TLSOptions(trust: .pinned(sha256: [UInt8](repeating: 7, count: 32)))
    #expect(try tls.makeVerifier() === tls.makeVerifier())
  }
}
