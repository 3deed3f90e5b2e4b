import Foundation

extension ClientPlan {
  /// The most that a plan of ``Workload/Limits/events`` events takes, with room to spare.
  private static let fileLimit = 64 << 20

  /// Reads and checks a plan. Throws ``WorkloadError``.
  static func read(_ path: String) throws(WorkloadError) -> ClientPlan {
    let data: Data
    do {
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
      guard size <= fileLimit else {
        throw WorkloadError("The plan '\(path)' has \(size) bytes, more than \(fileLimit).")
      }
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch let error as WorkloadError {
      throw error
    } catch {
      throw WorkloadError("The plan '\(path)' cannot be read: \(error.localizedDescription)")
    }
    return try parse(data, path)
  }

  static func parse(_ data: Data, _ name: String) throws(WorkloadError) -> ClientPlan {
    let plan: ClientPlan
    do {
      plan = try JSONDecoder().decode(ClientPlan.self, from: data)
    } catch {
      throw WorkloadError("The plan '\(name)' is not a plan for a client: \(Self.words(for: error))")
    }
    do {
      try plan.check()
    } catch {
      throw WorkloadError("The plan '\(name)' cannot be run: \(error.message)")
    }
    return plan
  }

  /// Throws what cannot be written, with its path.
  func write(to path: String) throws(WorkloadError) {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      try encoder.encode(self).write(to: URL(fileURLWithPath: path))
    } catch {
      throw WorkloadError("The plan '\(path)' cannot be written: \(error.localizedDescription)")
    }
  }

  /// Throws ``WorkloadError`` for the first value that is outside its range.
  func check() throws(WorkloadError) {
    guard let url = URL(string: origin), url.scheme == "https", url.host() != nil else {
      throw WorkloadError("origin is '\(origin)'; give one such as https://198.18.1.100:4433.")
    }
    guard !authorityFile.isEmpty else { throw WorkloadError("authorityFile is empty; name a PEM file.") }
    try checkTimes()
    try checkOffsets()
    if let downloadBytes, !(1...Workload.Limits.downloadBytes).contains(downloadBytes) {
      throw WorkloadError("downloadBytes is \(downloadBytes); it may be 1 to \(Workload.Limits.downloadBytes).")
    }
    let range = Workload.Limits.eventBytes
    if let eventBytes, !range.contains(eventBytes) {
      throw WorkloadError("eventBytes is \(eventBytes); it may be \(range.lowerBound) to \(range.upperBound).")
    }
  }

  private func checkTimes() throws(WorkloadError) {
    let longest = Workload.Limits.seconds * 2_000
    let times = [
      ("leadMilliseconds", leadMilliseconds), ("deadlineMilliseconds", deadlineMilliseconds),
      ("idleTimeoutMilliseconds", idleTimeoutMilliseconds ?? 1),
    ]
    for (name, value) in times where !(value.isFinite && value >= 0 && value <= longest) {
      throw WorkloadError("\(name) is \(value); it may be 0 to \(Workload.number(longest)).")
    }
    if let idleTimeoutMilliseconds, idleTimeoutMilliseconds < 1 {
      throw WorkloadError("idleTimeoutMilliseconds is \(idleTimeoutMilliseconds); it is at least 1.")
    }
  }

  private func checkOffsets() throws(WorkloadError) {
    guard (1...Workload.Limits.streams).contains(offsetsNanoseconds.count) else {
      throw WorkloadError(
        "offsetsNanoseconds has \(offsetsNanoseconds.count) streams; it may have 1 to \(Workload.Limits.streams).")
    }
    let count = offsetsNanoseconds.reduce(0) { $0 + $1.count }
    guard count <= Workload.Limits.events else {
      throw WorkloadError("offsetsNanoseconds has \(count) events; it may have \(Workload.Limits.events).")
    }
    let longest = Int64(Workload.Limits.seconds * 2e9)
    for (stream, offsets) in offsetsNanoseconds.enumerated() {
      guard !offsets.isEmpty else { throw WorkloadError("Stream \(stream) of offsetsNanoseconds has no event.") }
      var last: Int64 = 0
      for (sequence, offset) in offsets.enumerated() {
        guard offset >= last, offset <= longest else {
          throw WorkloadError(
            "offsetsNanoseconds[\(stream)][\(sequence)] is \(offset); it may be \(last), which is the one before it, to "
              + "\(longest).")
        }
        last = offset
      }
      if let toolSequence, !offsets.indices.contains(toolSequence) {
        throw WorkloadError("toolSequence is \(toolSequence); stream \(stream) has \(offsets.count) events.")
      }
      if let abortSequence, !offsets.indices.contains(abortSequence) {
        throw WorkloadError("abortSequence is \(abortSequence); stream \(stream) has \(offsets.count) events.")
      }
    }
  }

  private static func words(for error: any Error) -> String {
    guard let error = error as? DecodingError else { return error.localizedDescription }
    func place(_ path: [any CodingKey]) -> String {
      path.isEmpty ? "at its top" : "at '\(path.map(\.stringValue).joined(separator: "."))'"
    }
    switch error {
    case .keyNotFound(let key, let context):
      return "\(place(context.codingPath)) the key '\(key.stringValue)' is missing."
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      return "\(place(context.codingPath)) \(context.debugDescription)"
    @unknown default: return error.localizedDescription
    }
  }
}
