import Foundation
import ResolveKitCore

/// Returns this machine's time; harmless, so it asks for no approval.
enum GetLocalTime: AnyResolveKitFunction {
  static let resolveKitName = "get_local_time"
  static let resolveKitDescription = "Returns the local date, time and time zone of the user's machine."
  static let resolveKitTimeoutSeconds: Int? = 10
  static let resolveKitRequiresApproval = false
  static let resolveKitParametersSchema: JSONObject = [
    "type": .string("object"), "properties": .object([:]), "required": .array([]),
  ]

  static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: false, timeZone: .current)
    return .string("\(Date.now.formatted(style)) (\(TimeZone.current.identifier))")
  }
}
