import Foundation
import ResolveKitCore

/// Describes this machine; it reads and changes nothing, so it asks for no approval.
enum GetSystemInfo: AnyResolveKitFunction {
  static let resolveKitName = "get_system_info"
  static let resolveKitDescription =
    "Returns the user's operating system, processor count, memory in MiB and uptime in seconds."
  static let resolveKitTimeoutSeconds: Int? = 10
  static let resolveKitRequiresApproval = false
  static let resolveKitParametersSchema: JSONObject = [
    "type": .string("object"), "properties": .object([:]), "required": .array([]),
  ]

  static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
    let process = ProcessInfo.processInfo
    return .object([
      "operating_system": .string(process.operatingSystemVersionString),
      "processors": .number(Double(process.activeProcessorCount)),
      "memory_mib": .number(Double(process.physicalMemory / 1_048_576)),
      "uptime_seconds": .number(process.systemUptime.rounded()),
    ])
  }
}
