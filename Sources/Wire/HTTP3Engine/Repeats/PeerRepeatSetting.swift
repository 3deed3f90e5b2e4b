/// Whether the peer's SETTINGS allow repeats, which the library does not report.
struct PeerRepeatSetting {
  private enum State {
    case reading(HTTP3FrameScanner)
    case known(isAllowed: Bool)
  }

  private var state = State.reading(HTTP3FrameScanner(isUnidirectional: true))

  /// Nil before SETTINGS have come.
  var isAllowed: Bool? {
    if case .known(let isAllowed) = state { isAllowed } else { nil }
  }

  /// Takes the next bytes of the control stream; answers the breach in them (RFC 9114 § 7.2.4).
  mutating func breach(in bytes: UnsafeRawBufferPointer) -> HTTP3Error? {
    guard case .reading(var scanner) = state else { return nil }
    var found: [UInt64]?
    scanner.scan(bytes) {
      // Of another first frame the library makes an error.
      if found == nil, case .frame(_, _, let contents) = $0 { found = contents }
    }
    guard let found else {
      state = .reading(scanner)
      return nil
    }
    let values = stride(from: 0, to: found.count - 1, by: 2).filter { found[$0] == RepeatTerms.setting }.map {
      found[$0 + 1]
    }
    state = .known(isAllowed: values == [1])
    guard values.count > 1 || values.contains(where: { $0 > 1 }) else { return nil }
    return HTTP3Error(
      .application(.settingsError), "The peer's SETTINGS hold a value for repeats that there is not, or two.")
  }
}
