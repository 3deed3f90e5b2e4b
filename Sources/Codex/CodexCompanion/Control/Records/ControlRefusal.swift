package import ResolveKitCore

/// The refusal of a command.
package struct ControlRefusal: Hashable, Sendable {
  /// A code to decide on; those of a later companion are kept as they are.
  package struct Code: RawRepresentable, Hashable, Sendable {
    /// The line is no command.
    package static let invalidCommand = Code(rawValue: "invalid_command")
    /// There is no such pairing, device or decision.
    package static let notFound = Code(rawValue: "not_found")
    /// The companion took too long.
    package static let timedOut = Code(rawValue: "timed_out")
    /// Nothing is served, so that nobody can be paired.
    package static let notServing = Code(rawValue: "not_serving")
    /// The reply would be too long.
    package static let tooLong = Code(rawValue: "too_long")
    /// The command's work failed.
    package static let failed = Code(rawValue: "failed")

    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
  }

  package var code: Code
  /// One sentence for a person, with the remedy where there is one.
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  init(_ fields: ControlFields) throws(ControlError) {
    code = Code(rawValue: try fields.id("code"))
    message = try fields.text("message")
  }

  var json: JSONValue { ["code": .string(code.rawValue), "message": .string(message)] }
}
