import HTTP3Engine
import Testing

@testable import StreamTransport

@Suite struct ConnectionDoubtTests {
  private static let unreadable = HTTP3Error(.transport(.frameEncodingError), side: .remote, "?")

  @Test(arguments: [QUICErrorCode.internalError, .frameEncodingError, .protocolViolation])
  func marksAreDoubtedWhereAServerThatNeverAnsweredClosed(code: QUICErrorCode) {
    var doubt = ConnectionDoubt(usesECN: true)
    #expect(!doubt.isWorthAnother)
    #expect(doubt.closed(by: HTTP3Error(.transport(code), side: .remote, "?")) == .ecn)
    #expect(doubt.isWorthAnother)
  }

  @Test(arguments: [
    HTTP3Error(.transport(.frameEncodingError), side: .local, "?"),
    HTTP3Error(.transport(.noError), side: .remote, "?"),
    HTTP3Error(.idleTimeout, "?"), HTTP3Error(.application(.internalError), side: .remote, "?"),
  ])
  func anotherErrorSaysNothingOfMarks(error: HTTP3Error) {
    var doubt = ConnectionDoubt(usesECN: true)
    #expect(doubt.closed(by: error) == nil && !doubt.isWorthAnother)
  }

  @Test func aServerThatAnsweredCanReadReportsOfMarks() {
    var doubt = ConnectionDoubt(usesECN: true)
    doubt.responded()
    #expect(doubt.closed(by: Self.unreadable) == nil && !doubt.isWorthAnother)
  }

  @Test func withoutMarksThereIsNothingToLeaveOut() {
    var doubt = ConnectionDoubt(usesECN: false)
    #expect(doubt.closed(by: Self.unreadable) == nil && !doubt.isWorthAnother)
  }

  @Test(arguments: [true, false]) func aTicketThatNeedsAnotherKeyExchangeIsLeftOut(hasResponded: Bool) {
    var doubt = ConnectionDoubt(usesECN: false)
    if hasResponded { doubt.responded() }
    #expect(doubt.closed(by: HTTP3Error(.earlyDataRetry, "?")) == .ticket && doubt.isWorthAnother)
    doubt.responded()
    #expect(doubt.isWorthAnother, "What failed stays failed.")
  }
}
