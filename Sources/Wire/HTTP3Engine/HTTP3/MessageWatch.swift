/// Finds what the library (nghttp3 1.8) would let pass in a peer's message, before it has the bytes.
struct MessageWatch {
  /// Field sections that may wait for QPACK's table: a response has a head, trailers and few interim heads.
  private static let waitingSections = 32

  private var scanner: HTTP3FrameScanner
  private let isOfServer: Bool
  /// Field sections whose end the library has not reported, oldest first: it may wait for QPACK's table. nil for one
  /// that was too large to be kept.
  private var sections = Queue<[UInt8]?>()
  /// HEADERS frames that began, and of these the ones whose end the library has reported.
  private var begun = 0
  private var ended = 0
  /// A DATA frame began after the last HEADERS frame.
  private var isDataLast = false
  /// The library has reported the end of a head that is no interim response's.
  var hasHead = false
  /// The library has reported the trailers' end.
  var hasTrailers = false
  /// An empty HEADERS frame came, which the library takes for trailers or refuses without a report.
  private var hasEmptySection = false
  /// HEADERS or DATA came behind it.
  private var isEmptySectionPassed = false

  /// - Parameter isOfServer: whether the message is a response.
  init(fieldSectionLimit: Int, isOfServer: Bool) {
    self.isOfServer = isOfServer
    scanner = HTTP3FrameScanner(
      isUnidirectional: false, fieldSectionLimit: UInt64(clamping: fieldSectionLimit))
  }

  /// The fault in the next bytes; nil for none that is found here.
  mutating func breach(in bytes: UnsafeRawBufferPointer) -> HTTP3Error? {
    if scanner.skip(bytes.count) { return nil }
    var error: HTTP3Error?
    scanner.scan(bytes) { found in
      switch found {
      case .fieldSection(let section): sections.append(section)
      case .frame(0x00, _, _):
        isDataLast = true
        isEmptySectionPassed = hasEmptySection
      case .frame(0x01, let length, _):
        isEmptySectionPassed = hasEmptySection
        if length == 0 { hasEmptySection = true }
        begun += 1
        isDataLast = false
        if begun - ended > Self.waitingSections {
          error = error ?? HTTP3Error(.application(.excessiveLoad), "The peer sent too many field sections at once.")
        }
      // We send no MAX_PUSH_ID (RFC 9114 § 7.2.5); the library says H3_FRAME_UNEXPECTED, as it is right to a client.
      case .frame(0x05, _, _) where isOfServer:
        error = error ?? HTTP3Error(.application(.idError), "The server promised a push that was not allowed.")
      case .frame, .streamType, .priorityUpdate: break
      }
    }
    return error
  }

  /// Whether no head has begun.
  var isEmpty: Bool { begun == 0 }

  /// The section whose end the library reports now; nil for one that was not kept.
  mutating func nextSection() -> [UInt8]? {
    ended += 1
    return sections.popFirst() ?? nil
  }

  /// Whether HEADERS or DATA came where nothing but the end may (RFC 9114 § 4.1), which the library takes for a malformed
  /// message.
  var isBehindTrailers: Bool {
    // Without a head before it, an empty section is no trailers'.
    hasTrailers ? isDataLast || begun > ended : isEmptySectionPassed && hasHead
  }
}
