import Foundation
import Testing

@testable import LinkModel

@Suite struct LinkGeneratorTests {
  @Test("SplitMix64 and xoshiro256** give their authors' numbers")
  func knownAnswers() {
    #expect(LinkGenerator.mixed(0) == 0xE220_A839_7B1D_CDAF)
    #expect(LinkGenerator.mixed(1_234_567) == 6_457_827_717_110_365_317)
    var generator = LinkGenerator(state: (1, 2, 3, 4))
    #expect((0..<4).map { _ in generator.next() } == [11_520, 0, 1_509_978_240, 1_215_971_899_390_074_240])
  }

  @Test("Units are in [0, 1), chances of 0 and 1 are certain, bounds hold")
  func ranges() {
    var generator = LinkGenerator(seed: 1)
    for _ in 0..<10_000 {
      let unit = generator.unit()
      #expect(unit >= 0 && unit < 1)
      #expect(!generator.chance(0) && generator.chance(1))
      #expect((0..<7).contains(generator.below(7)))
    }
    #expect(generator.below(0) == 0 && generator.below(-5) == 0)
  }

  @Test("An exponential's mean and its share beyond the mean are right")
  func exponential() {
    var generator = LinkGenerator(seed: 2)
    let values = (0..<100_000).map { _ in generator.exponential(mean: 40) }
    // Standard error of the mean: 40 / √100 000 = 0.126; of the share: 0.0015.
    #expect(abs(values.reduce(0, +) / 100_000 - 40) < 0.4)
    #expect(abs(Double(values.count { $0 > 40 }) / 100_000 - exp(-1)) < 0.005)
  }

  @Test("The logarithm is the C library's but for the last bits")
  func logarithm() {
    for x in [0x1p-53, 1e-10, 0.1, 0.5, 0.7, 0.707_106_781_2, 0.999_999, 1, 1.5, 2, 10, 1e300] {
      #expect(abs(naturalLogarithm(x) - log(x)) <= 4e-16 * max(1, abs(log(x))), "\(x)")
    }
    for x in [0, -1, .nan, .infinity, -.infinity] as [Double] { #expect(naturalLogarithm(x) == 0) }
  }

  @Test("Seeds differ by scenario, repetition, process and direction; names have stable numbers")
  func seeds() {
    var values: Set<UInt64> = []
    for scenario in 0..<20 as Range<UInt64> {
      for repetition in 0..<20 as Range<UInt64> {
        let seed = LinkSeed(scenario: scenario, repetition: repetition)
        for direction in [nil, .toClient, .toServer] as [LinkDirection?] {
          values.insert(seed.value(for: .loss, direction))
          values.insert(seed.value(for: .jitter, direction))
        }
      }
    }
    #expect(values.count == 20 * 20 * 6)
    // FNV-1a's published test vector for "foobar".
    #expect(LinkSeed(scenarioNamed: "foobar", repetition: 0).scenario == 0x8594_4171_F739_67E8)
  }
}
