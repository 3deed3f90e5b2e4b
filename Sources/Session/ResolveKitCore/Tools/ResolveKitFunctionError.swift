/// A failure between the model's call and the tool.
public enum ResolveKitFunctionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The arguments do not fit the tool; the text says which and what was expected, in words for the model.
  case invalidArguments(String)
  /// Two functions have one name. The text is that name and, in parentheses, where each of the two comes from.
  case duplicateFunctionName(String)
  /// No function of this name is registered.
  case unknownFunction(String)

  package static func duplicate(_ name: String, _ first: String, _ second: String) -> ResolveKitFunctionError {
    .duplicateFunctionName("\(name) (\(first) and \(second))")
  }

  public var description: String {
    switch self {
    case .invalidArguments(let reason): "Invalid function arguments: \(reason)"
    case .duplicateFunctionName(let name): "Duplicate function name: \(name). Give each function a name of its own."
    case .unknownFunction(let name): "Unknown function: \(name)"
    }
  }
}
