import ResolveKitCore
import ResolveKitNetworking

/// The client as the server is told of it: device, functions, context and locale.
struct ClientProfile {
  private let configuration: ResolveKitConfiguration
  private let functions: FunctionSet
  /// The locale that the app chose at runtime, in place of the configuration's.
  private var chosenLocale: String?
  private(set) var deviceID: String

  init(_ configuration: ResolveKitConfiguration, functions: FunctionSet, deviceID: String) {
    self.configuration = configuration
    self.functions = functions
    self.deviceID = deviceID
  }

  /// The origin of a journal.
  var origin: JournalEntry { .origin(server: configuration.approvalServer, deviceID: deviceID) }

  /// A session continues under the device id that it was created with.
  mutating func useDevice(of image: SessionImage) {
    if let kept = image.deviceID, !kept.isEmpty { deviceID = kept }
  }

  /// Another locale for the rest of the conversation; nil for the configuration's.
  mutating func chooseLocale(_ locale: String?) { chosenLocale = locale }

  var locale: String { configuration.resolvedLocale(chosenLocale) }

  /// As the contract takes them: at most 20.
  private var preferredLocales: [String]? {
    configuration.preferredLocalesProvider.map { Array($0().filter { $0.utf8.count <= 255 }.prefix(20)) }
  }

  /// The context as it is now.
  func context() -> ContextUpdateRequest {
    ContextUpdateRequest(
      availableFunctionNames: functions.names(wanted: configuration.availableFunctionNamesProvider?()),
      client: ClientDescription.current(platform: configuration.platform),
      llmContext: configuration.llmContextProvider(), locale: locale)
  }

  func sessionRequest(_ context: ContextUpdateRequest, reusesActive: Bool) -> SessionCreateRequest {
    SessionCreateRequest(
      availableFunctionNames: context.availableFunctionNames, deviceID: deviceID, client: context.client,
      llmContext: context.llmContext, locale: context.locale, preferredLocales: preferredLocales,
      reuseActiveSession: reusesActive)
  }
}
