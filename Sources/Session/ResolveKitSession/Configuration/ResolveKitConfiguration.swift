public import Foundation
public import Logging
public import ResolveKitCore
public import ResolveKitNetworking
public import StreamTransport

/// The settings of a session, given once to `ResolveKitRuntime(configuration:)`.
public struct ResolveKitConfiguration: Sendable {
  /// Base URL of the backend; a path such as `/agent` is put before every path of the contract.
  public var baseURL: URL
  /// Called before each attempt of each call, and once more after a 401; nil or an empty string blocks the connection.
  /// An API key, or a client token in its place.
  public var apiKeyProvider: @Sendable () -> String?
  /// A stable name of the device or user, at most 255 characters. Where it is nil, one is made and kept for each base
  /// URL in the user's state folder; only a runtime that reuses no session gets a new one each time.
  public var deviceIDProvider: @Sendable () -> String?
  /// Context that is sent along with a session: at most 50 keys and 8 192 bytes of JSON. Asked before each message, and
  /// sent again where it has changed.
  public var llmContextProvider: @Sendable () -> JSONObject
  /// The tools that the session may use: of the names, those that are registered here, so an empty list means none. Nil
  /// for all that are registered.
  public var availableFunctionNamesProvider: (@Sendable () -> [String])?
  /// The chat's locale as a BCP 47 tag, of which `ResolveKitLocaleResolver` makes one that the server knows.
  public var localeProvider: @Sendable () -> String?
  /// Locales to choose from, best first, where ``localeProvider`` answers nil or nothing known; nil for the system's.
  public var preferredLocalesProvider: (@Sendable () -> [String])?
  /// The app's tools.
  public var functions: [any AnyResolveKitFunction.Type]
  /// Groups of tools that other modules bring.
  public var functionPacks: [any ResolveKitFunctionPack.Type]
  /// The platform that is sent to the backend and that selects packs: the one that this program was compiled for,
  /// unless a host stands in for another one, such as `.ios` for packs that were written for phones.
  public var platform: ResolveKitPlatform
  /// The app's version, at most 64 characters. The backend compares it with ``availability``, as dotted numbers.
  public var appVersion: String
  /// The app's build, at most 64 characters; nil and the empty string are not sent.
  public var appBuild: String?
  /// The platforms and versions that functions are offered to, by the functions' names. A nil property stays as a pack has
  /// it; a function without an entry is offered everywhere.
  public var availability: [String: ResolveKitAvailability]

  /// The transport of the session.
  public var transport: ResolveKitTransport
  /// The certificates that are accepted.
  public var tls: TLSOptions
  /// Whether `http` URLs to other hosts than this one are allowed.
  public var allowsPlaintext: Bool
  /// The proxies on the way to the backend; behind one, HTTP/1.1 is used alone.
  public var proxies: ProxySettings
  /// The memory of the backend's origin between connections, for ``ResolveKitTransport/automatic``.
  public var originStore: OriginStore
  /// The memory for faster reconnection over HTTP/3: session tickets, address tokens, round-trip times.
  public var resumptionStore: ResumptionStore
  /// Asked about every call of a tool that needs approval, before the user is.
  public var approvalPolicy: @Sendable (ResolveKitPendingToolCall) -> ResolveKitApprovalDecision
  /// The store of decisions on tools that hold for longer than a session.
  public var approvalStore: ResolveKitApprovalStore
  /// Tools that run at the same time, at least 1; further calls wait, and their time continues.
  public var maximumConcurrentTools: Int
  /// Whether an active session of the same device is reused.
  public var reusesActiveSession: Bool
  /// The time limits of the kinds of calls.
  public var timeouts: ResolveKitAPITimeouts
  /// The log of the session and its transport; keys and tokens are never written to it.
  public var logger: Logger
  /// The folder in which sessions outlive the process, and the session to take up; nil for none.
  public var journal: ResolveKitJournalConfiguration?
  /// The directory that the events of each HTTP/3 connection are written to in qlog's form; nil for nowhere.
  public var qlogDirectory: String?
  /// The name for sessions and approvals in place of the base URL, for a server whose URL is another each time.
  package var serverName: String?
  /// The folder of the device's name; tests give their own.
  package var stateFolder = StateFolder(environment: ProcessInfo.processInfo.environment)
  /// The disk for the journal; tests give their own.
  package var disk = Disk.system
  /// The clock of all waits; tests give their own.
  package var clock: TransportClock = TransportClock.continuous
  /// The source of ids and of what waits are spread by; tests give their own.
  package var random = TransportRandom.system

  /// Creates a configuration; all but the key's provider has a default.
  ///
  /// A ``qlogDirectory`` is set on the result.
  public init(
    baseURL: URL = ResolveKitDefaults.baseURL,
    apiKeyProvider: @escaping @Sendable () -> String?,
    deviceIDProvider: @escaping @Sendable () -> String? = { nil },
    llmContextProvider: @escaping @Sendable () -> JSONObject = { [:] },
    availableFunctionNamesProvider: (@Sendable () -> [String])? = nil,
    localeProvider: @escaping @Sendable () -> String? = { nil },
    preferredLocalesProvider: (@Sendable () -> [String])? = nil,
    functions: [any AnyResolveKitFunction.Type] = [],
    functionPacks: [any ResolveKitFunctionPack.Type] = [],
    platform: ResolveKitPlatform = .current,
    transport: ResolveKitTransport = .automatic,
    tls: TLSOptions = TLSOptions(),
    allowsPlaintext: Bool = false,
    proxies: ProxySettings = .environment,
    originStore: OriginStore = OriginStore(),
    resumptionStore: ResumptionStore = ResumptionStore(),
    approvalPolicy: @escaping @Sendable (ResolveKitPendingToolCall) -> ResolveKitApprovalDecision = { _ in .ask },
    approvalStore: ResolveKitApprovalStore = ResolveKitApprovalStore(file: ResolveKitApprovalStore.standardPath),
    maximumConcurrentTools: Int = 4,
    reusesActiveSession: Bool = true,
    timeouts: ResolveKitAPITimeouts = ResolveKitAPITimeouts(),
    logger: Logger = Logger(label: "resolvekit"),
    journal: ResolveKitJournalConfiguration? = nil,
    appVersion: String = "1.0.0",
    appBuild: String? = nil,
    availability: [String: ResolveKitAvailability] = [:]
  ) {
    self.baseURL = baseURL
    self.apiKeyProvider = apiKeyProvider
    self.deviceIDProvider = deviceIDProvider
    self.llmContextProvider = llmContextProvider
    self.availableFunctionNamesProvider = availableFunctionNamesProvider
    self.localeProvider = localeProvider
    self.preferredLocalesProvider = preferredLocalesProvider
    self.functions = functions
    self.functionPacks = functionPacks
    self.platform = platform
    self.transport = transport
    self.tls = tls
    self.allowsPlaintext = allowsPlaintext
    self.proxies = proxies
    self.originStore = originStore
    self.resumptionStore = resumptionStore
    self.approvalPolicy = approvalPolicy
    self.approvalStore = approvalStore
    self.maximumConcurrentTools = maximumConcurrentTools
    self.reusesActiveSession = reusesActiveSession
    self.timeouts = timeouts
    self.logger = logger
    self.journal = journal
    self.appVersion = appVersion
    self.appBuild = appBuild
    self.availability = availability
  }
}

extension ResolveKitConfiguration {
  /// The locale of a conversation: the app's choice at runtime, else the configuration's, else the system's.
  package func resolvedLocale(_ choice: String?) -> String {
    ResolveKitLocaleResolver.resolve(
      locale: choice ?? localeProvider(), preferredLocales: preferredLocalesProvider?() ?? Locale.preferredLanguages)
  }
}
