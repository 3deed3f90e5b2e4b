import ArgumentParser

/// Options of the output and its place.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.customShort("o", allowingJoined: true), .customLong("output")],
    help: ArgumentHelp("Write bodies, or events, to this file instead.", valueName: "file"))
  var file: String?

  @Flag(
    name: [.customShort("i"), .customLong("include")],
    help: """
      Write the status line and the fields before each body, those of interim responses (1xx) too, and trailers after \
      it; with --events to standard error.
      """)
  var include = false

  @Flag(
    help: """
      Write one JSON object a URL to standard error: url, status, lookup_ms, connect_ms, handshake_ms, first_byte_ms, \
      total_ms, bytes, interim (the statuses of 1xx responses), trailers, transport, quic_version, cipher, resumption, \
      reason, remote_address, key_updated, rtt_ms, min_rtt_ms, congestion_window, packets_sent, packets_received, \
      bytes_sent, bytes_received, events, first_event_ms, gap_median_ms, gap_p99_ms; null where unknown.
      """)
  var timing = false
}
