/// The colours of a chat in one appearance, each `#RRGGBB` or `#RRGGBBAA` with upper-case digits.
public struct ResolveKitChatPalette: Hashable, Sendable, Codable {
  public let screenBackground: String
  public let titleText: String
  public let statusText: String
  public let composerBackground: String
  public let composerText: String
  public let composerPlaceholder: String
  public let userBubbleBackground: String
  public let userBubbleText: String
  public let assistantBubbleBackground: String
  public let assistantBubbleText: String
  public let loaderBubbleBackground: String
  public let loaderDotActive: String
  public let loaderDotInactive: String
  public let toolCardBackground: String
  public let toolCardBorder: String
  public let toolCardTitle: String
  public let toolCardBody: String

  /// Colours that are none are kept as given; ``isValid`` tells.
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
  public var colors: [(name: String, value: String)] {
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
