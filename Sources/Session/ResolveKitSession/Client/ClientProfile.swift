import ResolveKitCore
import ResolveKitNetworking

/// The client as the server knows it: device, functions, context and locale.
struct ClientProfile {
  private let configuration: ResolveKitConfiguration
  private let functions: FunctionSet
  /// The locale that the app chose at runtime, in place of the configuration's.
  private var chosenLocale: String?
  private(set) var deviceID: String
  /// The messages of a session that the server has forgotten.
  private var recalled: RecalledMessages?

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

  /// Another instance of the app has the device's session: this one is a device of its own, since two under one name would
  /// renew each other's sessions.
  mutating func becomeAnotherDevice(_ suffix: String) {
    deviceID = "\(deviceID.prefix(Self.longestName - suffix.count - 1)).\(suffix)"
  }

  /// Characters of a device's name that the contract allows.
  private static let longestName = 255

  /// Another locale for the rest of the conversation; nil for the configuration's.
  mutating func chooseLocale(_ locale: String?) { chosenLocale = locale }

  var locale: String { configuration.resolvedLocale(chosenLocale) }

  /// The locales that the contract takes: at most 20.
  private var preferredLocales: [String]? {
    configuration.preferredLocalesProvider.map { Array($0().filter { $0.utf8.count <= 255 }.prefix(20)) }
  }

  /// The context as it is now.
  func context() -> ContextUpdateRequest {
    ContextUpdateRequest(
      availableFunctionNames: functions.names(wanted: configuration.availableFunctionNamesProvider?()),
      client: ClientDescription.current(configuration),
      llmContext: recalled?.added(to: configuration.llmContextProvider()) ?? configuration.llmContextProvider(),
      locale: locale)
  }

  /// Sends what was said before along with the context from now on. Returns how many of the messages there is room for.
  mutating func recall(_ messages: [ResolveKitChatMessage]) -> Int {
    let recalled = RecalledMessages(messages)
    self.recalled = recalled
    return recalled.count(beside: configuration.llmContextProvider())
  }

  /// The next session has nothing to do with what was said before.
  mutating func forgetRecalled() { recalled = nil }

  func sessionRequest(_ context: ContextUpdateRequest, reusesActive: Bool) -> SessionCreateRequest {
    SessionCreateRequest(
      availableFunctionNames: context.availableFunctionNames, deviceID: deviceID, client: context.client,
      llmContext: context.llmContext, locale: context.locale, preferredLocales: preferredLocales,
      reuseActiveSession: reusesActive)
  }
}
