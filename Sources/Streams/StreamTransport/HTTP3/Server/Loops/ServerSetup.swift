import HTTP3Engine
import Logging

/// What the loops of one server have in common, for each to be made of.
struct ServerSetup: Sendable {
  let configuration: HTTP3ServerConfiguration
  /// The engine's configuration, without what each loop adds.
  let engine: ServerConfiguration
  let secrets: CommonSecrets
  let load: HTTP3ServerLoad
  let qlog: QlogDirectory?
  let logger: Logger
  let metrics: ServerMetrics
  let refused: (@Sendable (HTTP3ServerRefusal) -> Void)?
  let handler: HTTP3ServerDriver.Handler

  init(
    _ configuration: HTTP3ServerConfiguration, secrets: StartingSecrets, logger: Logger, metrics: ServerMetrics,
    refused: (@Sendable (HTTP3ServerRefusal) -> Void)?, handler: @escaping HTTP3ServerDriver.Handler
  ) throws {
    self.configuration = configuration
    self.logger = logger
    self.metrics = metrics
    self.refused = refused
    self.handler = handler
    load = configuration.load ?? HTTP3ServerLoad(configuration.limits)
    qlog = configuration.options.qlogDirectory.map {
      QlogDirectory(path: $0, keeping: configuration.options.qlogSampling.retention, logger: logger)
    }
    let identities: [LoadedCredentials] = try configuration.identities.load(logger)
    let credentials = try ServerCredentials(identities, clients: try configuration.clientCertificates?.load())
    var engine = try ServerConfiguration(configuration, credentials: credentials, secrets: secrets)
    engine.connection.qlog = qlog?.configuration
    self.engine = engine
    self.secrets = CommonSecrets(engine, random: RandomSource(configuration.random))
  }
}
