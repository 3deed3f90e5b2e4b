import Testing

@testable import EventLedger

struct FeedStrainTests {
  @Test func restsThatAreOverLateAreFollowedByLongerOnesUpToALimit() {
    var strain = FeedStrain()
    #expect(strain.factor == 1)
    strain.rested(.milliseconds(40), in: .milliseconds(51))
    #expect(strain.factor == 1.5)
    for _ in 0..<10 { strain.rested(.milliseconds(40), in: .milliseconds(60)) }
    #expect(strain.factor == 4)
  }

  @Test func restsThatAreOverInTimeMakeThemShortAgain() {
    var strain = FeedStrain()
    for _ in 0..<10 { strain.rested(.milliseconds(40), in: .seconds(1)) }
    var count = 0
    while strain.factor > 1 {
      strain.rested(.milliseconds(40), in: .milliseconds(50))
      count += 1
    }
    #expect(count == 28)
  }

  /// What a timer is late by is no sign of anything.
  @Test func aShortRestIsAllowedAFewMilliseconds() {
    var strain = FeedStrain()
    strain.rested(.milliseconds(1), in: .milliseconds(4))
    #expect(strain.factor == 1)
    strain.rested(.milliseconds(1), in: .milliseconds(5))
    #expect(strain.factor == 1.5)
  }
}
