/// The frames of a packet as a trace shows them.
enum QlogFrames {
  /// Writes the frames of a packet, and nothing for none: qvis stumbles over an empty list.
  ///
  /// - Parameter delayExponent: of the sender's acknowledgements (RFC 9000 § 18.2).
  static func write(_ payload: UnsafeRawBufferPointer, delayExponent: UInt64, into writer: inout QlogWriter) {
    var decoder = QUICFrameDecoder(payload)
    guard let first = decoder.next() else { return }
    writer.array("frames") {
      var next: (frame: QUICFrame, length: Int)? = first
      while let current = next {
        $0.object {
          write(current.frame, delayExponent: delayExponent, into: &$0)
          $0.number("frame_size", current.length)
        }
        next = decoder.next()
      }
    }
  }

  private static func write(_ frame: QUICFrame, delayExponent: UInt64, into writer: inout QlogWriter) {
    func begin(_ type: String) { writer.text("frame_type", type) }
    switch frame {
    case .padding(let count):
      begin("padding")
      writer.number("payload_length", count)
    case .ping: begin("ping")
    case .acknowledgement(let acknowledgement):
      begin("ack")
      write(acknowledgement, delayExponent: delayExponent, into: &writer)
    case .resetStream(let id, let code, let finalSize):
      begin("reset_stream")
      writer.number("stream_id", id)
      writer.text("error_code", ApplicationErrorCode(rawValue: code).qlogName)
      writer.number("final_size", finalSize)
    case .stopSending(let id, let code):
      begin("stop_sending")
      writer.number("stream_id", id)
      writer.text("error_code", ApplicationErrorCode(rawValue: code).qlogName)
    case .crypto(let offset, let length):
      begin("crypto")
      writer.number("offset", offset)
      writer.number("length", length)
    case .newToken(let length):
      begin("new_token")
      writer.object("token") { $0.number("length", length) }
    case .stream(let id, let offset, let length, let isLast):
      begin("stream")
      writer.number("stream_id", id)
      writer.number("offset", offset)
      writer.number("length", length)
      if isLast { writer.bool("fin", true) }
    case .maxData(let maximum):
      begin("max_data")
      writer.number("maximum", maximum)
    case .maxStreamData(let id, let maximum):
      begin("max_stream_data")
      writer.number("stream_id", id)
      writer.number("maximum", maximum)
    case .maxStreams(let direction, let maximum):
      begin("max_streams")
      writer.text("stream_type", direction.qlogName)
      writer.number("maximum", maximum)
    case .dataBlocked(let limit):
      begin("data_blocked")
      writer.number("limit", limit)
    case .streamDataBlocked(let id, let limit):
      begin("stream_data_blocked")
      writer.number("stream_id", id)
      writer.number("limit", limit)
    case .streamsBlocked(let direction, let limit):
      begin("streams_blocked")
      writer.text("stream_type", direction.qlogName)
      writer.number("limit", limit)
    case .newConnectionID(let sequence, let retirePriorTo, let id):
      begin("new_connection_id")
      writer.number("sequence_number", sequence)
      writer.number("retire_prior_to", retirePriorTo)
      writer.number("connection_id_length", id.count)
      writer.hex("connection_id", id)
    case .retireConnectionID(let sequence):
      begin("retire_connection_id")
      writer.number("sequence_number", sequence)
    case .pathChallenge(let data):
      begin("path_challenge")
      writer.hex("data", data.bigEndianBytes)
    case .pathResponse(let data):
      begin("path_response")
      writer.hex("data", data.bigEndianBytes)
    case .close(let close):
      begin("connection_close")
      write(close, into: &writer)
    case .handshakeDone: begin("handshake_done")
    case .datagram(let length):
      begin("datagram")
      writer.number("length", length)
    case .unknown(let type, let length):
      begin("unknown")
      if let type { writer.number("raw_frame_type", type) }
      writer.number("raw_length", length)
    }
  }

  private static func write(
    _ acknowledgement: QUICFrame.Acknowledgement, delayExponent: UInt64, into writer: inout QlogWriter
  ) {
    // A sender may claim any delay; one of centuries says nothing.
    let (microseconds, overflow) = acknowledgement.delay.multipliedReportingOverflow(by: 1 << min(delayExponent, 20))
    let (nanoseconds, overflow2) = microseconds.multipliedReportingOverflow(by: 1_000)
    if !overflow, !overflow2 { writer.milliseconds("ack_delay", nanoseconds: nanoseconds) }
    writer.array("acked_ranges") {
      for range in acknowledgement.ranges {
        $0.array {
          $0.number(range.lowerBound)
          if range.lowerBound < range.upperBound { $0.number(range.upperBound) }
        }
      }
    }
    if acknowledgement.omittedRanges > 0 { writer.number("omitted_ranges", acknowledgement.omittedRanges) }
    if let marks = acknowledgement.marks {
      writer.number("ect0", marks.ect0)
      writer.number("ect1", marks.ect1)
      writer.number("ce", marks.congestionExperienced)
    }
  }

  private static func write(_ close: QUICFrame.Close, into writer: inout QlogWriter) {
    writer.text("error_space", close.isApplication ? "application" : "transport")
    writer.text(
      "error_code",
      close.isApplication
        ? ApplicationErrorCode(rawValue: close.code).qlogName : QUICErrorCode(rawValue: close.code).qlogName)
    writer.number("raw_error_code", close.code)
    writer.text("reason", close.reason)
    if let type = close.frameType, type != 0 { writer.number("trigger_frame_type", type) }
  }
}

extension QUICFrame.Direction {
  fileprivate var qlogName: String {
    switch self {
    case .bidirectional: "bidirectional"
    case .unidirectional: "unidirectional"
    }
  }
}

extension UInt64 {
  fileprivate var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}

extension ApplicationErrorCode {
  /// `http_no_error` for H3_NO_ERROR (draft-ietf-quic-qlog-h3-events-02 § 5); the number where there is no name.
  var qlogName: String {
    let name = description
    guard !name.contains(" ") else { return "0x\(String(rawValue, radix: 16))" }
    return name.hasPrefix("H3_") ? "http_\(name.dropFirst(3).lowercased())" : name.lowercased()
  }
}

extension QUICErrorCode {
  /// `no_error` for NO_ERROR, `crypto_error_0x12a` for a TLS alert; the number where there is no name.
  var qlogName: String {
    let name = description
    guard name.contains(" ") else { return name.lowercased() }
    let digits = "0x\(String(rawValue, radix: 16))"
    return (0x100...0x1ff).contains(rawValue) ? "crypto_error_\(digits)" : digits
  }
}
