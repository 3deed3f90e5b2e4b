import Testing
import TransportPolicy

@Suite struct ReturnScheduleTests {
  private func afterFailure(_ schedule: inout ReturnSchedule) -> Duration {
    schedule.failed()
    return schedule.pause
  }

  @Test func eachFailureDoublesThePauseUpToTenMinutes() {
    var schedule = ReturnSchedule()
    #expect(schedule.pause == .seconds(30))
    var pauses: [Duration] = []
    for _ in 0..<6 { pauses.append(afterFailure(&schedule)) }
    #expect(pauses == [60, 120, 240, 480, 600, 600].map { Duration.seconds($0) })
  }

  @Test func anotherNetworkIsTriedAtOnceAndFromTheStart() {
    var schedule = ReturnSchedule()
    for _ in 0..<5 { _ = afterFailure(&schedule) }
    schedule.networkChanged()
    #expect(schedule.pause == .zero)
    #expect(afterFailure(&schedule) == .seconds(60))
  }

  @Test func aTryThatCouldNotBeginCountsAsNoFailure() {
    var schedule = ReturnSchedule()
    schedule.wasTooEarly()
    #expect(schedule.pause == .seconds(1))
    #expect(afterFailure(&schedule) == .seconds(60))
  }
}
