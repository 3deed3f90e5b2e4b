package import ResolveKitCore

/// Cuts a payload down to a limit: a picture in a message comes back from codex as a line of many megabytes.
package enum PayloadFit {
  /// The payload, with long texts in it cut to ever fewer bytes until the whole fits. Members that do not fit even so are
  /// left out, the longest first.
  package static func fit(_ payload: JSONObject, toBytes limit: Int) -> JSONObject {
    guard size(payload) > limit else { return payload }
    var payload = payload
    for length in [256 << 10, 32 << 10, 4 << 10, 256] {
      payload = payload.mapValues { cut($0, toBytes: length) }
      if size(payload) <= limit { return payload }
    }
    let longest = payload.mapValues { $0.serialized().count }.sorted { ($0.value, $0.key) > ($1.value, $1.key) }
    for (name, _) in longest {
      payload[name] = .string("[left out: too large]")
      if size(payload) <= limit { return payload }
    }
    return [:]
  }

  private static func size(_ payload: JSONObject) -> Int { JSONValue.object(payload).serialized().count }

  private static func cut(_ value: JSONValue, toBytes length: Int) -> JSONValue {
    switch value {
    case .string(let text): text.utf8.count > length ? value.cut(toBytes: length) : value
    case .array(let elements): .array(elements.map { cut($0, toBytes: length) })
    case .object(let members): .object(members.mapValues { cut($0, toBytes: length) })
    case .number, .bool, .null: value
    }
  }
}
