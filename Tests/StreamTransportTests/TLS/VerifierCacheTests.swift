import HTTP3Engine
import Testing

@testable import StreamTransport

@Suite struct VerifierCacheTests {
  @Test func connectionsShareOneUntilItIsOld() throws {
    let cache = VerifierCache(lifetime: .seconds(60))
    let pin = CertificateVerifier.Trust.pinned(sha256: [UInt8](repeating: 1, count: 32))
    let start = ContinuousClock.now
    let first = try cache.verifier(pin, at: start)
    #expect(try cache.verifier(pin, at: start + .seconds(59)) === first)
    let second = try cache.verifier(pin, at: start + .seconds(60))
    #expect(second !== first)
    #expect(try cache.verifier(pin, at: start + .seconds(119)) === second)
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
