package import EventLedger
package import ResolveKitCore

/// A session as the database keeps it.
package struct StoredSession: Equatable, Sendable {
  package var id: String
  package var deviceID: String?
  /// The client's description of itself: platform, versions; nil where it gave none.
  package var client: JSONObject?
  package var llmContext: JSONObject
  /// The tools that this session allows.
  package var functionNames: [String]
  package var locale: String
  package var status: String
  package var lastActivity: WallTime
  package var created: WallTime
  /// The floor of a session whose events were taken over from a database of an earlier version, which numbered them
  /// otherwise: a cursor of a lower number lost nothing, and gets what it has seen once more.
  package var importedFloor: EventID?

  package init(
    id: String, deviceID: String? = nil, client: JSONObject? = nil, llmContext: JSONObject = [:],
    functionNames: [String] = [], locale: String = "en", status: String = StoredSession.active, lastActivity: WallTime,
    created: WallTime, importedFloor: EventID? = nil
  ) {
    self.id = id
    self.deviceID = deviceID
    self.client = client
    self.llmContext = llmContext
    self.functionNames = functionNames
    self.locale = locale
    self.status = status
    self.lastActivity = lastActivity
    self.created = created
    self.importedFloor = importedFloor
  }

  package static let active = "active"
  /// A person has taken over.
  package static let escalated = "escalated"
  /// It is being removed.
  static let condemned = "condemned"

  package func isExpired(at now: WallTime, lifetime: Duration) -> Bool {
    lastActivity + lifetime < now
  }
}

/// A client's values to make or change a session.
package struct SessionDraft: Equatable, Sendable {
  package var deviceID: String?
  package var client: JSONObject?
  package var llmContext: JSONObject?
  package var functionNames: [String]
  package var locale: String?
  package var reusesActive: Bool

  package init(
    deviceID: String? = nil, client: JSONObject? = nil, llmContext: JSONObject? = nil, functionNames: [String],
    locale: String? = nil, reusesActive: Bool = true
  ) {
    self.deviceID = deviceID
    self.client = client
    self.llmContext = llmContext
    self.functionNames = functionNames
    self.locale = locale
    self.reusesActive = reusesActive
  }
}
