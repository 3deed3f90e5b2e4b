import ArgumentParser
import Logging
import ReferenceBackend
import StreamTransport

/// The model that the backend inside this program asks.
enum EmbeddedModel {
  /// The variable that programs agree on for the key.
  static let keyVariable = "OPENAI_API_KEY"

  /// The model that is set, else the demonstrator. Throws ``ChatFailure``.
  static func make(_ settings: ChatSettings, environment: [String: String]) throws -> any ModelAdapter {
    guard let url = settings.text(.modelURL), let name = settings.text(.modelName) else { return DemoModel() }
    let tls = try Endpoint.tls(settings)
    do {
      return try OpenAIModel(
        baseURL: url, model: name, key: environment[keyVariable], systemPrompt: settings.text(.system), tls: tls,
        originStore: OriginStore(file: OriginStore.standardPath),
        resumptionStore: ResumptionStore(file: ResumptionStore.standardPath), logger: Logger(label: "model"))
    } catch let error as BackendError where error.code == .configuration {
      throw ChatFailure(code: .usage, message: error.message)
    }
  }
}
