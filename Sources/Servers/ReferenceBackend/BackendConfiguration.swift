public import HummingbirdHTTP3
public import StreamTransport

/// The configuration of a ``Backend``.
public struct BackendConfiguration: Sendable {
  /// The IP address to listen on.
  public var address: String
  /// The TCP and UDP port; 0 takes a free one.
  public var port: Int
  /// Open sockets that are served in place of ``address`` and ``port``, such as systemd passes.
  public var sockets: InheritedSockets?
  /// The certificates and their keys; the first is presented to clients that ask for no name, or for one that none has.
  public var identities: [ServerIdentity]
  /// The certificates that clients are asked for over all protocols, beside their API keys; nil, the default, asks for
  /// none.
  public var clientCertificates: ClientCertificatePolicy?
  /// The SQLite file, made where missing; nil keeps everything in memory.
  public var databasePath: String?
  /// The database that this backend shares with others, in the place of a file.
  public var sharedDatabase: SharedDatabase?
  /// The API keys that are accepted; at least one.
  public var apiKeys: [String]
  /// The model that answers; the backend shuts it down when it stops.
  public var model: any ModelAdapter
  /// The times and limits that it works by.
  public var settings: BackendSettings
  /// The time that ``Backend/shutdown()`` waits for running requests.
  public var drainTimeout: Duration
  /// The clock for all waits.
  public var clock: any Clock<Duration>
  /// Optional behavior of HTTP/3.
  public var http3: HTTP3ServerOptions
  /// A folder whose files are served to everybody, without a key, where the contract has no route; nil for none. A page
  /// from there is of the contract's own origin, so its scripts may ask the contract.
  public var filesFolder: String?
  /// The key of those who speak as persons in sessions, by the routes below `/internal`; nil closes them.
  public var operatorKey: String?
  /// Receives a record of each request, such as an `AccessLogFile` writes; nil for none.
  public var accessLog: AccessLog?
  /// Faults that the backend makes on purpose.
  public var faults: BackendFaults

  /// A configuration with one certificate, leaf first, and its key (PKCS #8), both in PEM form; what is left out is what a server on this machine needs.
  public init(
    address: String = "127.0.0.1", port: Int = 0, certificatePEM: String, privateKeyPEM: String,
    databasePath: String?, apiKeys: [String], model: any ModelAdapter, settings: BackendSettings = BackendSettings(),
    drainTimeout: Duration = .seconds(10), clock: any Clock<Duration> = ContinuousClock(),
    http3: HTTP3ServerOptions = HTTP3ServerOptions(), filesFolder: String? = nil, operatorKey: String? = nil,
    faults: BackendFaults = BackendFaults(), sharedDatabase: SharedDatabase? = nil
  ) {
    self.init(
      address: address, port: port,
      identities: [ServerIdentity(certificatePEM: certificatePEM, privateKeyPEM: privateKeyPEM)],
      databasePath: databasePath, apiKeys: apiKeys, model: model, settings: settings, drainTimeout: drainTimeout,
      clock: clock, http3: http3, filesFolder: filesFolder, operatorKey: operatorKey, faults: faults,
      sharedDatabase: sharedDatabase)
  }

  /// The same with several certificates.
  public init(
    address: String = "127.0.0.1", port: Int = 0, identities: [ServerIdentity],
    databasePath: String?, apiKeys: [String], model: any ModelAdapter, settings: BackendSettings = BackendSettings(),
    drainTimeout: Duration = .seconds(10), clock: any Clock<Duration> = ContinuousClock(),
    http3: HTTP3ServerOptions = HTTP3ServerOptions(), filesFolder: String? = nil, operatorKey: String? = nil,
    faults: BackendFaults = BackendFaults(), sharedDatabase: SharedDatabase? = nil
  ) {
    self.address = address
    self.port = port
    self.identities = identities
    self.databasePath = databasePath
    self.apiKeys = apiKeys
    self.model = model
    self.settings = settings
    self.drainTimeout = drainTimeout
    self.clock = clock
    self.http3 = http3
    self.filesFolder = filesFolder
    self.operatorKey = operatorKey
    self.faults = faults
    self.sharedDatabase = sharedDatabase
  }
}

/// The address at which a backend listens.
public struct BoundAddress: Equatable, Sendable, CustomStringConvertible {
  /// The address as configured, or that of the open sockets.
  public var address: String
  /// The TCP and UDP port.
  public var port: Int

  /// An address of these values.
  public init(address: String, port: Int) {
    self.address = address
    self.port = port
  }

  /// The base URL that a client on this machine connects to.
  public var url: String {
    switch address {
    case "0.0.0.0": "https://127.0.0.1:\(port)"
    case "::": "https://[::1]:\(port)"
    default: address.contains(":") ? "https://[\(address)]:\(port)" : "https://\(address):\(port)"
    }
  }

  public var description: String { url }
}
