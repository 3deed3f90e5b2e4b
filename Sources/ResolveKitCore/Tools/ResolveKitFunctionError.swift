/// What goes wrong between the model's call and the tool.
public enum ResolveKitFunctionError: Error, Hashable, Sendable, CustomStringConvertible {
  case invalidArguments(String)
  /// The name; a runtime adds which two functions have it, and where they come from.
  case duplicateFunctionName(String)
  case unknownFunction(String)

  public var description: String {
    switch self {
    case .invalidArguments(let reason): "Invalid function arguments: \(reason)"
    case .duplicateFunctionName(let name): "Duplicate function name: \(name). Give each function a name of its own."
    case .unknownFunction(let name): "Unknown function: \(name)"
    }
  }
}
