import CQUIC

/// Lets the connection judge the packets that its library opens, before the library reads their frames.
enum PacketJudge {
  /// Runs a library call that opens packets.
  ///
  /// - Parameter owner: the connection's delegate, as the callbacks are handed it.
  static func judging<Result>(for owner: UnsafeMutableRawPointer?, _ body: () -> Result) -> Result {
    CQUIC_guard_packets(judgePacket, owner)
    defer { CQUIC_guard_packets(nil, nil) }
    return body()
  }
}

/// Lent and not counted, as for each packet.
private func judgePacket(
  _ context: UnsafeMutableRawPointer?, _ header: UnsafePointer<UInt8>?, _ headerLength: Int,
  _ payload: UnsafePointer<UInt8>?, _ payloadLength: Int
) -> Int32 {
  withDelegate(behind: context) {
    switch $0.judge(
      UnsafeRawBufferPointer(start: payload, count: payloadLength),
      header: UnsafeRawBufferPointer(start: header, count: headerLength))
    {
    case .read: 0
    case .discard, .copy: NGTCP2_ERR_DECRYPT
    case .close: NGTCP2_ERR_CALLBACK_FAILURE
    }
  } ?? 0
}
