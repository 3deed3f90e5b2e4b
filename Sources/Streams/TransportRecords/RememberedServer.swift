package import HTTP3Engine

/// The help that is remembered for the next connection to a server.
package struct RememberedServer: Sendable {
  package var ticket: ResumptionTicket?
  package var token: [UInt8]?
  package var roundTrip: Duration?
  /// For how long the server is still reached without ECN.
  package var ecnDoubt: Duration?

  package init() {}
}
