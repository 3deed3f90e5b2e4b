/// tshark's output as a trace.
enum TraceText {
  /// Longer outputs are cut; a transfer of 25 MB makes 6 MB.
  static let mostBytes = 96 << 20

  static func trace(_ text: String, isServer: (String) -> Bool) -> Trace {
    Trace(
      datagrams: text.split(separator: "\n").compactMap { TraceRow($0)?.datagram(isServer: isServer) })
  }
}
