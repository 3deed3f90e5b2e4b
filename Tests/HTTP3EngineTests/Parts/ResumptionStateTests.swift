import Testing

@testable import HTTP3Engine

/// The rules for a client's tickets, tokens and early data.
@Suite struct ResumptionStateTests {
  private static let settings = PeerSettings(
    maximumFieldSectionSize: 1_000, qpackTableCapacity: 0, qpackBlockedStreams: 0, allowsExtendedConnect: false,
    allowsDatagrams: true)

  @Test func ticketsWaitForTheSettingsThatBelongToThem() {
    var resumption = ResumptionState()
    resumption.willReadTicket(allowsEarlyData: true)
    resumption.didReadTicket(session: [1], certificates: [[9]])
    let early = resumption.takeTickets(under: nil) { [7] }
    #expect(early.isEmpty)
    let unencoded = resumption.takeTickets(under: Self.settings) { nil }
    #expect(unencoded.isEmpty)
    let tickets = resumption.takeTickets(under: Self.settings) { [7] }
    #expect(
      tickets == [
        ResumptionTicket(session: [1], certificates: [[9]], transportParameters: [7], settings: Self.settings)
      ])
    let again = resumption.takeTickets(under: Self.settings) { [7] }
    #expect(again.isEmpty)
  }

  @Test func aTicketWithoutEarlyDataCarriesNoLimits() {
    var resumption = ResumptionState()
    resumption.willReadTicket(allowsEarlyData: false)
    resumption.didReadTicket(session: [1], certificates: [[9]])
    let tickets = resumption.takeTickets(under: Self.settings) { [7] }
    #expect(tickets.map(\.transportParameters) == [[]])
  }

  @Test func aResumedHandshakeKeepsTheCertificatesOfItsTicket() {
    var resumption = ResumptionState()
    resumption.resume(certificates: [[5]])
    resumption.didReadTicket(session: [1], certificates: nil)
    let tickets = resumption.takeTickets(under: Self.settings) { [] }
    #expect(tickets.map(\.certificates) == [[[5]]])
  }

  @Test func fourTicketsAreTakenAndNoLargeOne() {
    var resumption = ResumptionState()
    let tooLarge = [UInt8](repeating: 0, count: ResumptionState.ticketLimit + 1)
    resumption.didReadTicket(session: tooLarge, certificates: nil)
    for number in UInt8(0)..<9 { resumption.didReadTicket(session: [number], certificates: nil) }
    #expect(!resumption.takesTicket)
    let tickets = resumption.takeTickets(under: Self.settings) { [] }
    #expect(tickets.map(\.session) == [[0], [1], [2], [3]])
  }

  @Test func sixteenTokensAreTakenAndNoLongOne() {
    var resumption = ResumptionState()
    let takesLong = resumption.takesToken(ofLength: ResumptionState.tokenLimit + 1)
    #expect(!takesLong)
    let taken = (0..<20).count { _ in resumption.takesToken(ofLength: ResumptionState.tokenLimit) }
    #expect(taken == 16)
  }

  @Test(arguments: [true, false])
  func earlyDataIsSettledOnce(_ isTaken: Bool) {
    var resumption = ResumptionState()
    let before = resumption.settle(isTaken: true)
    #expect(before == .notOffered && !resumption.isEarlyDataOffered)
    resumption.offerEarlyData(under: Self.settings)
    #expect(resumption.isEarlyDataOffered && resumption.rememberedSettings == Self.settings)
    let settlement = resumption.settle(isTaken: isTaken)
    #expect(settlement == (isTaken ? .accepted : .rejected))
    #expect(!resumption.isEarlyDataOffered)
    #expect(resumption.rememberedSettings == (isTaken ? Self.settings : nil))
  }

  @Test func aLimitMayNotBeLoweredOnceEarlyDataWasTaken() throws {
    var lower = Self.settings
    lower.allowsDatagrams = false
    var resumption = ResumptionState()
    resumption.offerEarlyData(under: Self.settings)
    try resumption.check(lower)
    _ = resumption.settle(isTaken: true)
    let error = #expect(throws: HTTP3Error.self) { try resumption.check(lower) }
    #expect(error?.code == .application(.settingsError))
    try resumption.check(Self.settings)
  }
}
