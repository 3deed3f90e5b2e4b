public import ResolveKitCore

/// A request to a model: the messages so far and the tools it may call.
public struct ModelConversation: Equatable, Sendable {
  /// The messages, oldest first; the last one is to be answered.
  public var messages: [ModelMessage]
  /// The tools that the model may call.
  public var tools: [ModelTool]
  /// The session's locale, such as `en`.
  public var locale: String
  /// The context that the client's app gives the model.
  public var context: JSONObject

  /// A conversation of these values.
  public init(messages: [ModelMessage], tools: [ModelTool], locale: String = "en", context: JSONObject = [:]) {
    self.messages = messages
    self.tools = tools
    self.locale = locale
    self.context = context
  }
}

/// One message of a conversation.
public enum ModelMessage: Equatable, Sendable {
  /// A person's message.
  case user(String)
  /// The model's message: its text, and the calls that it wanted made.
  case assistant(text: String, toolCalls: [ModelToolCall])
  /// A tool's result, as text for the model.
  case toolResult(callID: String, name: String, content: String)
}

/// A tool that the model may call.
public struct ModelTool: Equatable, Sendable {
  /// The tool's name, which calls carry.
  public var name: String
  /// The sentence by which the model decides when to call.
  public var description: String
  /// A JSON Schema of the arguments object.
  public var parametersSchema: JSONObject

  /// A tool of these values.
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
  /// The tool's name.
  public var name: String
  /// With every digit that the model wrote.
  public var arguments: ResolveKitArguments

  /// A call of these values.
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
