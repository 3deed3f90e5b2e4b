/// The state of one TCP connection's sender at one time, as `TCP_INFO` has it.
package struct TCPSample: Hashable, Sendable {
  /// The kernel's `tcp_ca_state`.
  package enum Congestion: UInt8, Sendable {
    case open, disorder, reduced, recovery, loss
  }

  /// The time on the link's clock, in nanoseconds.
  package var time: Int64
  package var localPort: UInt16
  package var remotePort: UInt16
  package var segmentBytes: UInt32 = 0
  /// The congestion window, in segments, as are the next six.
  package var window: UInt32 = 0
  /// Nil before the first loss.
  package var slowStartThreshold: UInt32?
  package var unacknowledged: UInt32 = 0
  package var sacked: UInt32 = 0
  package var lost: UInt32 = 0
  /// Sent again and not yet acknowledged.
  package var retransmitted: UInt32 = 0
  package var totalRetransmitted: UInt32 = 0
  /// The smoothed round trip, in microseconds, as are the next two.
  package var roundTrip: UInt32 = 0
  package var roundTripVariation: UInt32 = 0
  package var timeout: UInt32 = 0
  package var acknowledgedBytes: UInt64 = 0
  /// Bytes that were written and not yet sent.
  package var unsentBytes: UInt32 = 0
  /// Nil for a state that Linux does not have today.
  package var congestion: Congestion?

  package init(time: Int64, localPort: UInt16, remotePort: UInt16) {
    self.time = time
    self.localPort = localPort
    self.remotePort = remotePort
  }

  package static let csvHeader =
    "time_ns,local_port,remote_port,mss_bytes,cwnd_segments,ssthresh_segments,unacked_segments,sacked_segments,"
    + "lost_segments,retransmitted_segments,total_retransmitted_segments,srtt_us,rttvar_us,rto_us,acked_bytes,"
    + "notsent_bytes,ca_state"

  /// One line; an empty field says that there is no such value.
  package var csvLine: String {
    let numbers: [String] = [
      "\(time)", "\(localPort)", "\(remotePort)", "\(segmentBytes)", "\(window)",
      slowStartThreshold.map { "\($0)" } ?? "", "\(unacknowledged)", "\(sacked)", "\(lost)", "\(retransmitted)",
      "\(totalRetransmitted)", "\(roundTrip)", "\(roundTripVariation)", "\(timeout)", "\(acknowledgedBytes)",
      "\(unsentBytes)",
    ]
    return (numbers + [congestion.map { "\($0)" } ?? ""]).joined(separator: ",")
  }
}
