/// The most bytes of each text of a client's that a line keeps, before they are escaped.
enum AccessLogLimits {
  static let method = 32
  static let path = 2_048
  static let authority = 255
  static let referrer = 512
  static let userAgent = 512
  static let requestID = 160
}
