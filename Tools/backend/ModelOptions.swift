import ArgumentParser
import ReferenceBackend

/// The model that answers.
struct ModelOptions: ParsableArguments {
  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case demo
    case openai
  }

  @Option(help: "demo (offline demonstrator) or openai (any OpenAI-compatible endpoint).")
  var model = Kind.demo

  @Option(name: .customLong("model-url"), help: "Base URL of the openai model; '/chat/completions' is appended.")
  var modelURL = "https://api.openai.com/v1"

  @Option(help: "The model's name at that endpoint.")
  var modelName: String?

  @Option(help: "File with the model's key. Default: OPENAI_API_KEY.")
  var modelKeyFile: String?

  @Option(help: "Words per second of the demo model; 0 is as fast as possible.")
  var tokenRate = 25.0

  func validate() throws {
    guard model != .openai || modelName != nil else { throw ValidationError("--model openai needs --model-name.") }
    guard tokenRate == 0 || (0.001...1e9).contains(tokenRate) else {
      throw ValidationError("--token-rate is 0, for as fast as possible, or 0.001 to 1e9 words a second.")
    }
  }

  func makeModel(environment: [String: String]) throws -> any ModelAdapter {
    switch model {
    case .demo:
      return DemoModel(tokenRate: tokenRate)
    case .openai:
      let key = try modelKeyFile.map { try AcceptedKeys.read($0).first ?? "" } ?? environment["OPENAI_API_KEY"]
      return try OpenAIModel(
        baseURL: modelURL, model: modelName ?? "", key: key.flatMap { $0.isEmpty ? nil : $0 })
    }
  }
}
