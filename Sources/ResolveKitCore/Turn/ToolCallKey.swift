/// Names a call. Call ids come from the model's provider and repeat across turns, hence the pair. Compared as bytes:
/// two ids that differ only in Unicode normalisation are two calls.
package struct ToolCallKey: Codable, Sendable {
  package let turnID: String
  package let callID: String

  package init(turnID: String, callID: String) {
    self.turnID = turnID
    self.callID = callID
  }
}

extension ToolCallKey: Hashable {
  package static func == (left: ToolCallKey, right: ToolCallKey) -> Bool {
    left.turnID.hasSameBytes(as: right.turnID) && left.callID.hasSameBytes(as: right.callID)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(turnID.utf8.count)
    for byte in turnID.utf8 { hasher.combine(byte) }
    for byte in callID.utf8 { hasher.combine(byte) }
  }
}
