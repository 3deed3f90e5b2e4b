package import EventLedger
package import ResolveKitCore

/// A tool that clients of the app can run.
package struct FunctionRecord: Equatable, Sendable {
  package var id: String
  package var name: String
  package var description: String
  package var parametersSchema: JSONObject
  package var isActive: Bool
  /// 1 to 300.
  package var timeoutSeconds: Int
  package var availability: JSONObject
  package var source: String
  package var packName: String?
  package var requiresApproval: Bool
  package var created: WallTime

  package init(
    id: String, name: String, description: String, parametersSchema: JSONObject, isActive: Bool, timeoutSeconds: Int,
    availability: JSONObject, source: String, packName: String?, requiresApproval: Bool, created: WallTime
  ) {
    self.id = id
    self.name = name
    self.description = description
    self.parametersSchema = parametersSchema
    self.isActive = isActive
    self.timeoutSeconds = timeoutSeconds
    self.availability = availability
    self.source = source
    self.packName = packName
    self.requiresApproval = requiresApproval
    self.created = created
  }

  /// Whether a session may use it: active, allowed by the session, and fit for the client's platform and versions.
  package func isEligible(in session: StoredSession) -> Bool {
    guard isActive, session.functionNames.contains(name) else { return false }
    let client = session.client ?? [:]
    if let platforms = availability["platforms"]?.arrayValue, !platforms.isEmpty {
      guard let platform = client["platform"], platforms.contains(platform) else { return false }
    }
    return isWithin("min_os_version", "max_os_version", client["os_version"])
      && isWithin("min_app_version", "max_app_version", client["app_version"])
  }

  /// A bound with nothing to compare it to is not kept.
  private func isWithin(_ lower: String, _ upper: String, _ value: JSONValue?) -> Bool {
    let bounds = (availability[lower]?.stringValue, availability[upper]?.stringValue)
    guard bounds.0 != nil || bounds.1 != nil else { return true }
    guard let version = value?.stringValue.flatMap(DottedVersion.init) else { return false }
    if let text = bounds.0 { guard let bound = DottedVersion(text), bound <= version else { return false } }
    if let text = bounds.1 { guard let bound = DottedVersion(text), version <= bound else { return false } }
    return true
  }
}

/// A release version such as `17.4.1`; missing parts are 0.
struct DottedVersion: Comparable {
  private let parts: [UInt64]

  /// nil for anything but numbers between dots.
  init?(_ text: String) {
    var parts: [UInt64] = []
    for part in text.split(separator: ".", omittingEmptySubsequences: false) {
      guard let number = UInt64(part) else { return nil }
      parts.append(number)
    }
    while parts.last == 0 { parts.removeLast() }
    self.parts = parts
  }

  static func < (left: DottedVersion, right: DottedVersion) -> Bool {
    left.parts.lexicographicallyPrecedes(right.parts)
  }
}
