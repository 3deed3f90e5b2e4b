import Foundation
import ResolveKitCore

/// Lists a folder's files; it shows what is on the disk to a model, so it asks first.
enum ListFiles: AnyResolveKitFunction {
  static let resolveKitName = "list_files"
  static let resolveKitDescription = "Lists the names of the files and folders in one folder of the user's machine."
  static let resolveKitTimeoutSeconds: Int? = 60
  static let resolveKitRequiresApproval = true
  static let resolveKitParametersSchema: JSONObject = [
    "type": .string("object"),
    "properties": .object([
      "path": .object(["type": .string("string"), "description": .string("The folder; ~ is the home folder.")])
    ]),
    "required": .array([.string("path")]),
  ]

  struct Unreadable: Error, CustomStringConvertible {
    let folder: String
    var description: String { "The folder \(folder) does not exist or may not be read." }
  }

  /// The most names that are sent; the answer says how many there are.
  private static let limit = 200

  static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
    guard case .string(let path)? = arguments["path"], !path.isEmpty else {
      throw ResolveKitFunctionError.invalidArguments("'path' must be a folder's name")
    }
    let folder = NSString(string: path).expandingTildeInPath
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder).sorted() else {
      throw Unreadable(folder: folder)
    }
    return .object([
      "path": .string(folder),
      "count": .number(Double(names.count)),
      "names": .array(names.prefix(limit).map { .string($0) }),
    ])
  }
}
