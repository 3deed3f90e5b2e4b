import EventLedger
import LedgerModel
import TestSupport

/// The model that sessions are simulated with.
final class ModelUnderTest: LedgerUnderTest {
  private let clock = ManualClock()
  private let model: ModelEventLedger

  init() {
    model = ModelEventLedger(now: { [clock] in WallTime(microseconds: 0) + clock.now.offset })
  }

  var ledger: any EventLedger { model }

  func advance(by duration: Duration) { clock.advance(by: duration) }

  func another() -> any EventLedger { model }

  func storedRows() -> Int { model.storedRows }
}
