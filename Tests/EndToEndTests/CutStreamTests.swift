import Foundation
import Logging
import ReferenceBackend
import ResolveKitCore
import ResolveKitUI
import StreamTransport
import TestSupport
import Testing

/// A real backend, real connections, and event streams that are cut where a seed says.
@Suite(.timeLimit(.minutes(10)))
struct CutStreamTests {
  @Test(arguments: [TransportKind.http3, .http1])
  func fiftyCutsLoseAndRepeatNothing(kind: TransportKind) async throws {
    let fixture = try await EndToEndFixture.open()
    let transport = fixture.transport(kind)
    let whole = try await fixture.converse(over: CuttingTransport(transport, cuts: []))
    let expected = try #require(whole.text)
    #expect(whole.toolRuns == 1)
    #expect(expected.utf8.count > 150)
    for seed in 1...50 {
      var random = SeededGenerator(seed: UInt64(seed))
      let cuts = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        CuttingTransport.Cut(afterBytes: .random(in: 1...8_000, using: &random), isClean: .random(using: &random))
      }
      let cutting = CuttingTransport(transport, cuts: cuts)
      let outcome = try await fixture.converse(over: cutting)
      #expect(outcome.failure == nil, "\(kind), seed \(seed), cuts \(cuts)")
      #expect(outcome.text == expected, "\(kind), seed \(seed), cuts \(cuts)")
      #expect(outcome.shown == expected, "\(kind), seed \(seed), cuts \(cuts)")
      #expect(outcome.eventIDs.count == whole.eventIDs.count, "\(kind), seed \(seed), cuts \(cuts)")
      #expect(Set(outcome.eventIDs).count == outcome.eventIDs.count, "\(kind), seed \(seed), cuts \(cuts)")
      #expect(outcome.toolRuns == 1, "\(kind), seed \(seed), cuts \(cuts)")
      #expect(cutting.remainingCuts < cuts.count, "\(kind), seed \(seed): no stream was cut")
    }
    await transport.close()
    await fixture.close()
  }
}
