import ResolveKitCore
import Synchronization

/// Counts runs by the `key` argument: tools are types, so tests tell their runs apart by what they pass.
enum RunCounter {
  private static let runs = Mutex<[String: Int]>([:])

  static func count(_ key: String) -> Int { runs.withLock { $0[key] ?? 0 } }
  static func add(_ key: String) { runs.withLock { $0[key, default: 0] += 1 } }
}

enum CountingTool: AnyResolveKitFunction {
  static let resolveKitName = "count"
  static let resolveKitDescription = "Counts its runs."
  static let resolveKitRequiresApproval = false
  static let resolveKitParametersSchema: JSONObject = [:]

  static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
    RunCounter.add(arguments["key"]?.stringValue ?? "")
    return .string("counted")
  }
}

enum AskingTool: AnyResolveKitFunction {
  static let resolveKitName = "ask_first"
  static let resolveKitDescription = "Runs only when a person agrees."
  static let resolveKitParametersSchema: JSONObject = [:]

  static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
    RunCounter.add(arguments["key"]?.stringValue ?? "")
    return .string("agreed")
  }
}

enum ThrowingTool: AnyResolveKitFunction {
  struct Broken: Error, CustomStringConvertible {
    let description = "the disk is full"
  }

  static let resolveKitName = "throws"
  static let resolveKitDescription = "Fails each time."
  static let resolveKitRequiresApproval = false
  static let resolveKitParametersSchema: JSONObject = [:]

  static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
    throw Broken()
  }
}
