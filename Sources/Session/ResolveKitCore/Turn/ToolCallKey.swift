/// Names a call. Call ids come from the model's provider and repeat across turns, hence the pair. Compared as bytes:
/// two ids that differ only in Unicode normalisation are two calls.
/// A provider that uses an id again within one turn gets a key with the later event's id as `repetition`: that call is
/// answered with the first one's result or with an error, never run.
package struct ToolCallKey: Codable, Sendable {
  package let turnID: String
  package let callID: String
  package let repetition: String?

  package init(turnID: String, callID: String, repetition: String? = nil) {
    self.turnID = turnID
    self.callID = callID
    self.repetition = repetition
  }

  /// The key by which the backend distinguishes the result's deliveries from other results.
  var idempotencyKey: String {
    guard let repetition else { return callID }
    let scalars = "\(repetition)#\(callID)".unicodeScalars.prefix(ResolveKitToolResultPayload.maximumKeyLength)
    return String(String.UnicodeScalarView(scalars))
  }
}

extension ToolCallKey: Hashable {
  package static func == (left: ToolCallKey, right: ToolCallKey) -> Bool {
    left.turnID.hasSameBytes(as: right.turnID) && left.callID.hasSameBytes(as: right.callID)
      && (left.repetition ?? "").hasSameBytes(as: right.repetition ?? "")
  }

  package func hash(into hasher: inout Hasher) {
    turnID.hashBytes(into: &hasher)
    callID.hashBytes(into: &hasher)
    repetition?.hashBytes(into: &hasher)
  }
}
