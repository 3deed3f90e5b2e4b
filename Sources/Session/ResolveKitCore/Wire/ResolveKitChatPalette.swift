/// The colours of a chat in one appearance, each `#RRGGBB` or `#RRGGBBAA` with upper-case digits.
public struct ResolveKitChatPalette: Hashable, Sendable, Codable {
  /// Behind the whole transcript.
  public let screenBackground: String
  /// The chat's heading.
  public let titleText: String
  /// The state of the connection, and other lines beside the conversation.
  public let statusText: String
  /// Behind the text field of a new message.
  public let composerBackground: String
  /// The text of a message that is being written.
  public let composerText: String
  /// The text of an empty text field.
  public let composerPlaceholder: String
  /// Behind a message of the user.
  public let userBubbleBackground: String
  /// The text of a message of the user.
  public let userBubbleText: String
  /// Behind a message of the assistant.
  public let assistantBubbleBackground: String
  /// The text of a message of the assistant.
  public let assistantBubbleText: String
  /// Behind the dots that stand for an answer in the making.
  public let loaderBubbleBackground: String
  /// The dot that is lit.
  public let loaderDotActive: String
  /// The dots that are not lit.
  public let loaderDotInactive: String
  /// Behind the checklist of tool calls.
  public let toolCardBackground: String
  /// The line around the checklist.
  public let toolCardBorder: String
  /// The checklist's heading.
  public let toolCardTitle: String
  /// The rows of the checklist.
  public let toolCardBody: String

  /// Strings that are no colours are kept as given; see ``isValid``.
  public init(
    screenBackground: String, titleText: String, statusText: String, composerBackground: String,
    composerText: String, composerPlaceholder: String, userBubbleBackground: String, userBubbleText: String,
    assistantBubbleBackground: String, assistantBubbleText: String, loaderBubbleBackground: String,
    loaderDotActive: String, loaderDotInactive: String, toolCardBackground: String, toolCardBorder: String,
    toolCardTitle: String, toolCardBody: String
  ) {
    self.screenBackground = screenBackground
    self.titleText = titleText
    self.statusText = statusText
    self.composerBackground = composerBackground
    self.composerText = composerText
    self.composerPlaceholder = composerPlaceholder
    self.userBubbleBackground = userBubbleBackground
    self.userBubbleText = userBubbleText
    self.assistantBubbleBackground = assistantBubbleBackground
    self.assistantBubbleText = assistantBubbleText
    self.loaderBubbleBackground = loaderBubbleBackground
    self.loaderDotActive = loaderDotActive
    self.loaderDotInactive = loaderDotInactive
    self.toolCardBackground = toolCardBackground
    self.toolCardBorder = toolCardBorder
    self.toolCardTitle = toolCardTitle
    self.toolCardBody = toolCardBody
  }

  /// Every colour with its name in the contract, in the contract's order.
  package var colors: [(name: String, value: String)] {
    [
      ("screenBackground", screenBackground), ("titleText", titleText), ("statusText", statusText),
      ("composerBackground", composerBackground), ("composerText", composerText),
      ("composerPlaceholder", composerPlaceholder), ("userBubbleBackground", userBubbleBackground),
      ("userBubbleText", userBubbleText), ("assistantBubbleBackground", assistantBubbleBackground),
      ("assistantBubbleText", assistantBubbleText), ("loaderBubbleBackground", loaderBubbleBackground),
      ("loaderDotActive", loaderDotActive), ("loaderDotInactive", loaderDotInactive),
      ("toolCardBackground", toolCardBackground), ("toolCardBorder", toolCardBorder),
      ("toolCardTitle", toolCardTitle), ("toolCardBody", toolCardBody),
    ]
  }

  /// Whether every colour is `#RRGGBB` or `#RRGGBBAA`.
  public var isValid: Bool {
    colors.allSatisfy { color in
      let digits = color.value.utf8.dropFirst()
      return color.value.utf8.first == UInt8(ascii: "#") && (digits.count == 6 || digits.count == 8)
        && digits.allSatisfy(Self.isHexadecimal)
    }
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
      UInt8(ascii: "a")...UInt8(ascii: "f"):
      true
    default: false
    }
  }
}
