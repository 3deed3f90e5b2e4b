import HTTPTypes
import ResolveKitCore

/// A person's message to a chat: a text, pictures, files of text.
struct MessageInput: Equatable, Sendable {
  /// The input items of `turn/start` and `turn/steer`.
  let items: [JSONValue]
  /// The client's id of the message: the same id sent again starts no second turn.
  let requestID: String?
  /// Parameters of `turn/start` that it asks for; a turn that runs keeps its own.
  let settings: JSONObject

  /// The limit of the whole body in bytes. The contract has 40 MB; codex takes WebSocket messages of 16 MiB.
  static let bodyLimit = 15 << 20
  /// The time limit of the whole body, which half a megabit a second keeps.
  static let bodyTime = Duration.seconds(240)
  /// codex's own limit on a text, in characters.
  static let textLimit = 1 << 20
  static let attachmentLimit = 16

  /// - Parameter items: codex's own, checked.
  init(items: [JSONValue], requestID: String?, settings: JSONObject = [:]) {
    self.items = items
    self.requestID = requestID
    self.settings = settings
  }

  init(_ input: JSONInput) throws(CompanionError) {
    requestID = try input.string("request_id", limit: 255)
    var items: [JSONValue] = []
    if let text = try input.string("text", limit: 4 * Self.textLimit), !text.allSatisfy(\.isWhitespace) {
      items.append(try Self.text(text))
    }
    let attachments = input["attachments"]?.arrayValue ?? []
    guard attachments.count <= Self.attachmentLimit else {
      throw CompanionError(.badRequest, "A message has at most \(Self.attachmentLimit) attachments.")
    }
    for attachment in attachments { items.append(try Self.item(of: JSONInput(attachment.objectValue ?? [:]))) }
    guard !items.isEmpty else { throw CompanionError(.badRequest, "A message needs a text or an attachment.") }
    self.items = items
    settings = [:]
  }

  private static func text(_ text: String) throws(CompanionError) -> JSONValue {
    guard text.unicodeScalars.count <= textLimit else {
      throw CompanionError(.badRequest, "A text has at most \(textLimit) characters; send it as several messages.")
    }
    return ["type": "text", "text": .string(text)]
  }

  private static func item(of attachment: JSONInput) throws(CompanionError) -> JSONValue {
    switch try attachment.requiredString("type") {
    case "image":
      let url = try attachment.requiredString("dataUrl", limit: bodyLimit)
      // Any other URL would have codex, or the model's provider, fetch what the phone names.
      guard url.hasPrefix("data:image/") else {
        throw CompanionError(.badRequest, "An image is a data URL: data:image/…;base64,…")
      }
      return ["type": "image", "url": .string(url)]
    case "text_file":
      let name = try attachment.string("name", limit: 1_024) ?? "file"
      let contents = try attachment.requiredString("text", limit: 4 * textLimit)
      return try text("File \(name):\n\(contents)")
    case let type:
      throw CompanionError(.badRequest, "An attachment is an image or a text_file, not '\(type)'.")
    }
  }
}
