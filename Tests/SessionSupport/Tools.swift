package import ResolveKitCore
import Synchronization

/// Counts runs by the `key` argument: tools are types, so tests tell their runs apart by what they pass.
package enum RunCounter {
  private static let runs = Mutex<[String: Int]>([:])

  package static func count(_ key: String) -> Int { runs.withLock { $0[key] ?? 0 } }
  package static func add(_ key: String) { runs.withLock { $0[key, default: 0] += 1 } }
}

package enum CountingTool: AnyResolveKitFunction {
  package static let resolveKitName = "count"
  package static let resolveKitDescription = "Counts its runs."
  package static let resolveKitRequiresApproval = false
  package static let resolveKitParametersSchema: JSONObject = [:]

  package static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
    RunCounter.add(arguments["key"]?.stringValue ?? "")
    return .string("counted")
  }
}

package enum AskingTool: AnyResolveKitFunction {
  package static let resolveKitName = "ask_first"
  package static let resolveKitDescription = "Runs only when a person agrees."
  package static let resolveKitParametersSchema: JSONObject = [:]

  package static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
    RunCounter.add(arguments["key"]?.stringValue ?? "")
    return .string("agreed")
  }
}

package enum ThrowingTool: AnyResolveKitFunction {
  package struct Broken: Error, CustomStringConvertible {
    package let description = "the disk is full"
  }

  package static let resolveKitName = "throws"
  package static let resolveKitDescription = "Fails each time."
  package static let resolveKitRequiresApproval = false
  package static let resolveKitParametersSchema: JSONObject = [:]

  package static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
    throw Broken()
  }
}
