/// The failure to admit, pair or renew a device: a code to branch on, a sentence to show, a cause.
package struct DeviceError: Error, CustomStringConvertible, Sendable {
  package enum Code: Hashable, Sendable {
    /// The request has no token.
    case missingToken
    /// The request's field holds no token.
    case malformedToken
    /// No device has the token: it was never issued, or its device was revoked.
    case unknownToken
    /// The token's time is over; the device renews it.
    case expiredToken
    /// A renewal token came a second time, so that two have it; its device is revoked.
    case reusedToken
    /// There are as many devices as may be.
    case full
    /// The devices could not be kept.
    case storage
  }

  package let code: Code
  package let message: String
  package let cause: (any Error)?
  /// The device that was revoked for it; nil for all but `reusedToken`.
  let revoked: Device?

  init(_ code: Code, _ message: String, cause: (any Error)? = nil, revoked: Device? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
    self.revoked = revoked
  }

  package var description: String { message }

  static let missingToken = DeviceError(.missingToken, "Missing bearer token")
  static let malformedToken = DeviceError(.malformedToken, "Invalid bearer token")
  static let unknownToken = DeviceError(.unknownToken, "Invalid token")
  static let expiredToken = DeviceError(.expiredToken, "Expired token: renew it")

  static func reusedToken(of device: Device) -> DeviceError {
    DeviceError(
      .reusedToken,
      "The renewal token was used before, so another party may have it; the device is revoked: pair it again",
      revoked: device)
  }

  /// Whether the answer is 401: another token may help, none of the rest of the request.
  package var isUnauthorized: Bool {
    switch code {
    case .missingToken, .malformedToken, .unknownToken, .expiredToken, .reusedToken: true
    case .full, .storage: false
    }
  }
}
