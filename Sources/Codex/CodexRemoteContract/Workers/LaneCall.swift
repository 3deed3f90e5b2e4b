package import ResolveKitCore

/// A request with its parameters checked: the same for every lane.
///
/// A parameter that is not named here is refused and not passed over: what a sandbox lets through, and what a machine has,
/// is for the operator of codex to say, and a client that asks for it gets an error.
package enum LaneCall: Equatable, Sendable {
  /// - folder: nil for the worker's only one.
  case threadStart(folder: String?, model: String?)
  /// - thread: nil for the worker's only one, here and below.
  case threadResume(thread: String?)
  /// - input: codex's items: texts, and pictures that are in them.
  case turnStart(thread: String?, input: [JSONValue], LaneTurnSettings)
  /// - turn: nil for whichever runs.
  case turnInterrupt(thread: String?, turn: String?)
  case threadList(ThreadPage)
  case threadRead(thread: String?, hasTurns: Bool)

  package static let maximumItems = 16
  private static let maximumFolderBytes = 4_096
  private static let maximumModelBytes = 256

  /// Throws ``LaneRefusal``.
  package init(_ request: LaneRequest) throws(LaneRefusal) {
    let params = request.params
    switch request.method {
    case .threadStart:
      try Self.check(params, ["cwd", "model"])
      self = .threadStart(
        folder: try Self.text("cwd", of: params, limit: Self.maximumFolderBytes),
        model: try Self.text("model", of: params, limit: Self.maximumModelBytes))
    case .threadResume:
      // No answer has turns: thread/read gives them.
      try Self.check(params, ["threadId", "excludeTurns"])
      self = .threadResume(thread: request.threadID)
    case .turnStart:
      try Self.check(params, ["threadId", "input", "model", "effort"])
      self = .turnStart(
        thread: request.threadID, input: try Self.items(params["input"]),
        LaneTurnSettings(
          model: try Self.text("model", of: params, limit: Self.maximumModelBytes),
          effort: try Self.text("effort", of: params, limit: Self.maximumModelBytes)))
    case .turnInterrupt:
      try Self.check(params, ["threadId", "turnId"])
      self = .turnInterrupt(thread: request.threadID, turn: try Self.text("turnId", of: params, limit: 640))
    case .threadList:
      try Self.check(params, ["cursor", "limit"])
      self = .threadList(try ThreadPage(params))
    case .threadRead:
      try Self.check(params, ["threadId", "includeTurns"])
      self = .threadRead(thread: request.threadID, hasTurns: params["includeTurns"]?.boolValue ?? false)
    case nil:
      throw LaneRefusal(
        .unsupportedMethod, "A worker performs \(LaneMethod.names.joined(separator: ", ")), and nothing else.")
    }
  }

  /// The line of requests that it has to wait for.
  var line: LaneOrder.Line {
    switch self {
    case .threadList, .threadRead: .free
    case .threadStart: .newThread
    // It names what it ends: nothing before it can begin another.
    case .turnInterrupt(_, .some): .free
    case .threadResume(let thread), .turnStart(let thread, _, _), .turnInterrupt(let thread, nil):
      thread.map { .thread($0) } ?? .onlyThread
    }
  }

  var isInterrupt: Bool {
    switch self {
    case .turnInterrupt: true
    case .threadStart, .threadResume, .turnStart, .threadList, .threadRead: false
    }
  }

  private static func check(_ params: JSONObject, _ allowed: Set<String>) throws(LaneRefusal) {
    guard let other = params.keys.filter({ !allowed.contains($0) }).min() else { return }
    throw LaneRefusal(
      .invalidRequest,
      "Through a runtime, '\(String(other.prefix(60)).visible)' cannot be set; the worker's operator decides it."
    )
  }

  private static func text(_ name: String, of params: JSONObject, limit: Int) throws(LaneRefusal) -> String? {
    switch params[name] {
    case nil, .null?: return nil
    case .string(let text)? where (1...limit).contains(text.utf8.count): return text
    case .string?, .number?, .bool?, .object?, .array?:
      throw LaneRefusal(.invalidRequest, "\(name) is a text of 1 to \(limit) bytes.")
    }
  }

  /// Texts, and pictures as data. Files and skills of the machine are not for a caller elsewhere to name, and any other
  /// address would have codex, or the model's provider, fetch what the client names.
  private static func items(_ input: JSONValue?) throws(LaneRefusal) -> [JSONValue] {
    let given = input?.arrayValue ?? []
    var items: [JSONValue] = []
    for item in given.prefix(maximumItems + 1) {
      let members = item.objectValue ?? [:]
      switch (members["type"], members["text"], members["url"]) {
      case ("text"?, .string(let text)?, _):
        if !text.allSatisfy(\.isWhitespace) { items.append(["type": "text", "text": .string(text)]) }
      case ("image"?, _, .string(let url)?) where url.hasPrefix("data:image/"):
        items.append(["type": "image", "url": .string(url)])
      default:
        throw LaneRefusal(
          .invalidRequest, "The input's items are of type text with a text, or image with a data:image/ URL.")
      }
    }
    guard !items.isEmpty, given.count <= maximumItems else {
      throw LaneRefusal(
        .invalidRequest, "turn/start needs input: 1 to \(maximumItems) items, one of which says something.")
    }
    return items
  }
}
