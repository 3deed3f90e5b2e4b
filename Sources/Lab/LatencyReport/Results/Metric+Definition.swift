extension Metric {
  /// The definition of what is measured in one run, for the reader of a report.
  package var definition: String {
    switch self {
    case .connect: "From the first request to the end of the first connection's handshake, as the client saw it."
    case .firstEventCold:
      "From the request to the first event parsed, the new connection's set-up included; the run's first such stream."
    case .firstEventResumed:
      "From the request to the first event parsed on a new connection with a resumed TLS session; the run's first such stream."
    case .firstEventZeroRTT:
      "From the request to the first event parsed where the request went as early data; the run's first such stream."
    case .firstEventWarm:
      "From the request to the first event parsed on a connection that was already there; median over such streams."
    case .excessP50, .excessP90, .excessP95, .excessP99, .excessP999, .excessMax:
      "Received - scheduled - configured one-way delay, over all events of a run, from the schedule and not from the "
        + "write. An event that never came counts as still on its way at the run's end."
    case .gapP50, .gapP99, .gapMax: "Time between two consecutive events of a stream, as the client parsed them."
    case .delayVariationP99, .delayVariationMax:
      "Size of (arrival gap - write gap) over adjacent events of a stream; free of clock skew."
    case .stalls100, .stalls200, .stalls500:
      "Times in a run in which a stream had no new in-order event for longer than this beyond the schedule."
    case .stallTime200: "Time beyond the schedule in stalls over 200 ms, summed over a run's streams."
    case .stallLongest: "The longest time beyond the schedule without a new in-order event; 0 if none exceeded 100 ms."
    case .stallShare100: "Time in stalls over 100 ms as a share of the streams' durations."
    case .stallShare200: "Time in stalls over 200 ms as a share of the streams' durations."
    case .stallShare500: "Time in stalls over 500 ms as a share of the streams' durations."
    case .stallRatio:
      "All time for which a stream's next event was overdue, however short, as a share of the streams' durations: the "
        + "proportion of rendering wait time, by which Eloquent (DOI 10.1145/3672198.3673797) is compared."
    case .readerPauses5, .readerPauses10:
      "Times that a reader who takes five or ten events a second, from the first that arrives, runs out of events: waits "
        + "at least 1 ms longer for the next one than if all had come when they were due."
    case .readerPauseTime5, .readerPauseTime10:
      "How much longer such a reader waits than if all events had come when they were due, summed over a run's streams."
    case .late50, .late100, .late200:
      "Share of a run's events whose excess latency was larger than this; those that never came are late."
    case .blockedEvents:
      "Events whose packet left the link undamaged and that were parsed more than 5 ms later: they waited for another packet."
    case .blockedTime: "From the packet's leaving the link to the event's parsing, summed over the blocked events."
    case .recoveryP50, .recoveryP95:
      "From the drop of the event's packet to the event's parsing, in round trips of the empty link, from the link's own log."
    case .reconnectGap:
      "From the last event before an outage, a rebinding or a reconnect to the first one after; the longest of a run."
    case .fallback: "From the first request to the first event where HTTP/3 could not be used and another version was."
    case .lostEvents: "Events of the schedule that had not come when the client stopped."
    case .duplicateEvents: "Events that came again after a reconnect and were thrown away."
    case .serverLatenessP99:
      "Written - scheduled, of events that were due while their stream was open: the server's own lateness, contained in "
        + "the excess latency."
    case .linkLatenessP99:
      "How much later than due packets left the emulated link: its own error, in the excess latency."
    case .realisedLossToClient, .realisedLossToServer:
      "Packets that the link's random loss dropped, of the TCP and UDP packets that reached it."
    case .packetsPerThousandEvents: "TCP and UDP packets that entered the link both ways, for 1 000 events received."
    case .bytesPerThousandEvents:
      "Bytes of whole IP packets that entered the link both ways, for 1 000 events received."
    case .clientCPUPerThousandEvents: "The client process's CPU time, user and system, for 1 000 events received."
    case .serverCPUPerThousandEvents: "The server process's CPU time, user and system, for 1 000 events received."
    case .downloadTime: "From the request to the last byte of the download, the connection's set-up included."
    case .goodput: "Bytes of the download, headers left out, over the download time."
    case .toolRoundTrip:
      "From the parsing of the event that asks for a tool to the parsing of the event after the tool's result; median "
        + "over the streams."
    }
  }
}
