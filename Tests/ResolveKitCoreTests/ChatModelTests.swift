import Testing

@testable import ResolveKitCore

struct ChatModelTests {
  @Test func theDefaultThemeIsOneOfTheContract() throws {
    let theme = ResolveKitChatTheme.default
    #expect(theme.isValid)
    let json = try JSONValue(parsing: ResolveKitJSON.encode(theme))
    let light = try #require(json.objectValue?["light"]?.objectValue)
    #expect(light.count == 17)
    #expect(light.keys.sorted() == theme.light.colors.map(\.name).sorted())
    #expect(try ResolveKitJSON.decode(ResolveKitChatTheme.self, from: ResolveKitJSON.encode(theme)) == theme)
  }

  @Test(arguments: ["", "#12345", "#1234567", "123456", "#GGGGGG", "#12345６", "red", "#123456789"])
  func whatIsNoColourIsNotValid(color: String) {
    let base = ResolveKitChatTheme.default.light
    let palette = ResolveKitChatPalette(
      screenBackground: color, titleText: base.titleText, statusText: base.statusText,
      composerBackground: base.composerBackground, composerText: base.composerText,
      composerPlaceholder: base.composerPlaceholder, userBubbleBackground: base.userBubbleBackground,
      userBubbleText: base.userBubbleText, assistantBubbleBackground: base.assistantBubbleBackground,
      assistantBubbleText: base.assistantBubbleText, loaderBubbleBackground: base.loaderBubbleBackground,
      loaderDotActive: base.loaderDotActive, loaderDotInactive: base.loaderDotInactive,
      toolCardBackground: base.toolCardBackground, toolCardBorder: base.toolCardBorder,
      toolCardTitle: base.toolCardTitle, toolCardBody: base.toolCardBody)
    #expect(!palette.isValid)
  }

  @Test func feedbackKeepsTheContractsLimits() {
    #expect(ResolveKitFeedbackRequest(rating: 0).rating == 1)
    #expect(ResolveKitFeedbackRequest(rating: .max).rating == 5)
    #expect(ResolveKitFeedbackRequest(rating: 3, comment: "").comment == nil)
    let long = ResolveKitFeedbackRequest(rating: 3, comment: String(repeating: "é", count: 3000)).comment
    #expect(long?.unicodeScalars.count == 2000)
    #expect(long?.last == "…")
  }

  @Test func secretsStayOutOfDescriptions() {
    let token = ResolveKitClientToken(token: "secret", expiresAt: "2026-11-21T00:00:00Z")
    #expect(!"\(token)".contains("secret") && !String(reflecting: token).contains("secret"))
  }

  @Test(arguments: [
    (401, true, "API key"), (403, true, "chat is enabled"), (404, false, "base URL"), (409, false, "turn"),
    (410, false, "new session"), (422, false, "limits"), (426, true, "Update"), (429, false, "later"),
    (500, false, "later"), (502, false, "later"), (503, false, "later"),
  ])
  func everyStatusOfTheContractHasARemedy(status: Int, isBlocking: Bool, words: String) {
    let failure = RequestFailure(status: status, message: "No")
    #expect(failure.isBlocking == isBlocking)
    #expect(failure.remedy?.contains(words) == true)
    #expect(failure.description.hasPrefix("No (\(status)). "))
  }

  @Test func theServersWaitIsKeptWithinReason() {
    #expect(RequestFailure(status: 429, message: "", retryAfterSeconds: .max).retryAfterSeconds == 3600)
    #expect(RequestFailure(status: 429, message: "", retryAfterSeconds: -1).retryAfterSeconds == 0)
    #expect(RequestFailure(status: 429, message: "", retryAfterSeconds: 9).remedy == "Try again in 9 s.")
  }
}
