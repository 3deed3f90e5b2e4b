import CQUIC

/// Puts a setting of our own into the SETTINGS frame that begins our control stream, because the library (nghttp3 1.8)
/// sends those that it knows and no others: other bytes go out in place of its first ones, and what QUIC counts of them is
/// counted back.
final class SettingsAddition {
  private enum State {
    /// Nothing of the stream was sent.
    case waiting
    case sending(sent: Int)
    /// The library's further bytes go out as they are.
    case passed
  }

  private let stream: StreamID
  private let setting: (id: UInt64, value: UInt64)
  private var state = State.waiting
  /// The bytes in place of the library's first ones; QUIC resends from this memory.
  private var bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var replacedCount = 0
  private var acknowledged: UInt64 = 0

  init(_ setting: (id: UInt64, value: UInt64), on stream: StreamID) {
    self.setting = setting
    self.stream = stream
  }

  deinit { bytes.deallocate() }

  /// Lays out what goes out next in place of the library's bytes, which begin where its first unsent one is.
  ///
  /// - Returns: the vectors in use.
  func replace(_ vectors: UnsafeMutableBufferPointer<nghttp3_vec>, count: Int, on id: StreamID) -> Int {
    guard id == stream else { return count }
    let beginning = vectors.prefix(count)
    guard let rest = next({ beginning.flatMap { UnsafeBufferPointer(start: $0.base, count: $0.len) } }) else {
      return count
    }
    vectors[0] = nghttp3_vec(base: rest.baseAddress?.assumingMemoryBound(to: UInt8.self), len: rest.count)
    return 1
  }

  /// The bytes to send next; nil for the library's own.
  ///
  /// - Parameter beginning: gives those, the stream's first.
  func next(_ beginning: () -> [UInt8]) -> UnsafeMutableRawBufferPointer? {
    if case .waiting = state { begin(beginning()) }
    guard case .sending(let sent) = state else { return nil }
    return UnsafeMutableRawBufferPointer(rebasing: bytes.dropFirst(sent))
  }

  private func begin(_ beginning: [UInt8]) {
    guard let longer = Self.adding(setting, to: beginning) else {
      state = .passed
      return
    }
    replacedCount = beginning.count
    bytes = .allocate(byteCount: longer.count, alignment: 1)
    bytes.copyBytes(from: longer)
    state = .sending(sent: 0)
  }

  /// The beginning of a control stream with one setting more; nil for what does not begin with a whole SETTINGS frame.
  static func adding(_ setting: (id: UInt64, value: UInt64), to beginning: [UInt8]) -> [UInt8]? {
    beginning.withUnsafeBytes { buffer in
      var reader = ByteReader(buffer)
      guard reader.varint() == 0x00, reader.varint() == 0x04, let length = reader.varint(),
        let settings = reader.bytes(length)
      else { return nil }
      let pair = VariableLengthInteger.bytes(of: setting.id) + VariableLengthInteger.bytes(of: setting.value)
      let longer = VariableLengthInteger.bytes(of: length + UInt64(pair.count))
      return [0x00, 0x04] + longer + settings + pair + buffer.suffix(reader.count)
    }
  }

  /// A packet took `count` bytes; answers how many of the library's that are.
  func didSend(_ count: Int, on id: StreamID) -> Int {
    guard id == stream, case .sending(let sent) = state else { return count }
    guard sent + count >= bytes.count else {
      state = .sending(sent: sent + count)
      return 0
    }
    state = .passed
    return replacedCount
  }

  /// The peer has `count` more bytes; answers how many of the library's that are.
  func didAcknowledge(_ count: UInt64, on id: StreamID) -> UInt64 {
    guard id == stream else { return count }
    let before = ofLibrary(acknowledged)
    acknowledged += count
    return ofLibrary(acknowledged) - before
  }

  /// The library's bytes among so many of the stream's.
  private func ofLibrary(_ count: UInt64) -> UInt64 {
    count < UInt64(bytes.count) ? 0 : count - UInt64(bytes.count - replacedCount)
  }
}
