package import EventLedger
package import ResolveKitCore

/// A session as the database keeps it.
package struct SessionRecord: Equatable, Sendable {
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

  package static let active = "active"
  /// A person has taken over.
  package static let escalated = "escalated"

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
