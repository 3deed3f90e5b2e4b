import Hummingbird
import JSONService
import ResolveKitCore

/// The price of a model; asked for without a key. This backend has no price list, which the contract expresses as null.
enum PricingRoutes {
  @Sendable static func model(_ request: Request, _ context: BackendContext) async throws -> Response {
    var members: JSONObject = [:]
    for (name, value) in request.uri.queryParameters { members[String(name)] = .string(String(value)) }
    var reader = ObjectReader(members, at: ["query"])
    let provider = self.provider(reader.string("provider", length: 1...64, isRequired: true) ?? "")
    let model = reader.string("model", length: 1...200, isRequired: true) ?? ""
    try reader.check()
    return .json([
      "provider": .string(provider), "model": .string(self.model(model, of: provider)), "pricing": .null,
    ])
  }

  private static func provider(_ text: String) -> String {
    let name = trimmed(text).lowercased()
    return name == "google" ? "gemini" : name
  }

  /// `openai/gpt-x` of openai is `gpt-x`; models of openrouter have their makers in their names.
  private static func model(_ text: String, of provider: String) -> String {
    let name = trimmed(text)
    let parts = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard provider != "openrouter", parts.count == 2, Self.provider(String(parts[0])) == provider else { return name }
    return trimmed(parts[1])
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    let start = text.drop(while: \.isWhitespace)
    let end = start.lastIndex { !$0.isWhitespace }
    return end.map { String(start[...$0]) } ?? ""
  }
}
