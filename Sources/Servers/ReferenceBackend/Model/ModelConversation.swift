public import ResolveKitCore

/// A request to a model: the messages so far and the tools it may call.
public struct ModelConversation: Equatable, Sendable {
  public var messages: [ModelMessage]
  public var tools: [ModelTool]
  /// The session's locale, such as `en`.
  public var locale: String
  /// The context that the client's app gives the model.
  public var context: JSONObject

  public init(messages: [ModelMessage], tools: [ModelTool], locale: String = "en", context: JSONObject = [:]) {
    self.messages = messages
    self.tools = tools
    self.locale = locale
    self.context = context
  }
}

/// One message of a conversation.
public enum ModelMessage: Equatable, Sendable {
  case user(String)
  case assistant(text: String, toolCalls: [ModelToolCall])
  /// A tool's result, as text for the model.
  case toolResult(callID: String, name: String, content: String)
}

/// A tool that the model may call.
public struct ModelTool: Equatable, Sendable {
  public var name: String
  public var description: String
  /// A JSON Schema of the arguments object.
  public var parametersSchema: JSONObject

  public init(name: String, description: String, parametersSchema: JSONObject) {
    self.name = name
    self.description = description
    self.parametersSchema = parametersSchema
  }
}

/// A call that the model wants made.
public struct ModelToolCall: Equatable, Sendable {
  /// The model's own id for the call; may be empty.
  public var id: String
  public var name: String
  /// With every digit that the model wrote.
  public var arguments: ResolveKitArguments

  public init(id: String, name: String, arguments: ResolveKitArguments) {
    self.id = id
    self.name = name
    self.arguments = arguments
  }

  /// A call whose numbers are what their `Double` says.
  public init(id: String, name: String, arguments: JSONObject) {
    self.init(id: id, name: name, arguments: ResolveKitArguments(arguments))
  }
}
