/// A device that was let in, and until when.
package struct DeviceAdmission: Hashable, Sendable {
  package let device: Device
  /// The time at which the token that it showed expires, in milliseconds since 1970; nil for never.
  package let expiresAt: Int?
}
