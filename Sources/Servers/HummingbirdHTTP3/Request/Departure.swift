/// The end of an exchange that was not complete.
struct Departure {
  var ending: AccessRecord.Ending
  /// The error code of HTTP/3 or QUIC, where there is one.
  var code: String?
  var error: any Error
}
