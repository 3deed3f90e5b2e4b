import Foundation
import ResolveKitCore
import StreamTransport

/// A tool that must not run twice: it leaves a line when it starts and one when it ends, and takes a while in between.
enum MarkTool: AnyResolveKitFunction {
  @MainActor static var file = ""
  static let resolveKitName = "mark"
  static let resolveKitDescription = "Leaves a mark."
  static let resolveKitRequiresApproval = false
  static let resolveKitParametersSchema: JSONObject = ["type": "object", "properties": [:], "required": []]

  static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
    let number = JSONValue.object(arguments).jsonText
    try await leave("start \(number)\n")
    try await Task.sleep(for: .milliseconds(120))
    try await leave("end \(number)\n")
    return .string("marked \(number)")
  }

  @MainActor
  private static func leave(_ line: String) throws {
    let handle = FileHandle(forWritingAtPath: file) ?? FileHandle.nullDevice
    defer { try? handle.close() }
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(line.utf8))
    try handle.synchronize()
  }
}
