/// The chat's colours, as `GET /v1/sdk/chat-theme` answers them.
public struct ResolveKitChatTheme: Hashable, Sendable, Codable {
  /// The theme until the server has given its own, and where it has none.
  public static let `default` = ResolveKitChatTheme(
    light: ResolveKitChatPalette(
      screenBackground: "#FAFAFA", titleText: "#1A1A1A", statusText: "#5C5C5C", composerBackground: "#FFFFFF",
      composerText: "#1A1A1A", composerPlaceholder: "#8A8A8A", userBubbleBackground: "#0B57D0",
      userBubbleText: "#FFFFFF", assistantBubbleBackground: "#ECECEC", assistantBubbleText: "#1A1A1A",
      loaderBubbleBackground: "#ECECEC", loaderDotActive: "#5C5C5C", loaderDotInactive: "#C4C4C4",
      toolCardBackground: "#FFFFFF", toolCardBorder: "#D6D6D6", toolCardTitle: "#1A1A1A", toolCardBody: "#5C5C5C"),
    dark: ResolveKitChatPalette(
      screenBackground: "#121212", titleText: "#F2F2F2", statusText: "#B0B0B0", composerBackground: "#1E1E1E",
      composerText: "#F2F2F2", composerPlaceholder: "#8A8A8A", userBubbleBackground: "#A8C7FA",
      userBubbleText: "#062E6F", assistantBubbleBackground: "#2A2A2A", assistantBubbleText: "#F2F2F2",
      loaderBubbleBackground: "#2A2A2A", loaderDotActive: "#B0B0B0", loaderDotInactive: "#5C5C5C",
      toolCardBackground: "#1E1E1E", toolCardBorder: "#3C3C3C", toolCardTitle: "#F2F2F2", toolCardBody: "#B0B0B0"))

  /// The palette on a light screen.
  public let light: ResolveKitChatPalette
  /// The palette on a dark screen.
  public let dark: ResolveKitChatPalette

  /// Creates a theme; ``isValid`` says whether a server accepts it.
  public init(light: ResolveKitChatPalette, dark: ResolveKitChatPalette) {
    self.light = light
    self.dark = dark
  }

  /// Whether every colour of both palettes is one.
  public var isValid: Bool { light.isValid && dark.isValid }
}
