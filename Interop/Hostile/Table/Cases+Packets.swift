import EnginePair
import HTTP3Engine

// Frames of QUIC in 1-RTT packets (RFC 9000 § 19). Streams 3, 7 and 11 are HTTP/3's, 15 is open and empty.

extension HostileCase {
  private static let any: [UInt8] = [0x21]

  static let packets: [HostileCase] = [
    .packet(
      "frame-unknown", "sends a frame of an unknown type", "RFC 9000 § 12.4", [.closes(.frameEncodingError)],
      Wire.varint(0x1f5)),
    .packet(
      "frame-beyond-packet", "sends STREAM that is longer than the packet", "RFC 9000 § 12.4",
      [.closes(.frameEncodingError)], Wire.quic(0x0a, 3, 4_000)),
    .late(
      "reserved-bits", "sets the reserved bits of a short header", "RFC 9000 § 17.3.1", [.closes(.protocolViolation)],
      .frames([1], bits: 0x18)),
    .packet(
      "stream-window", "sends beyond the stream's window", "RFC 9000 § 4.1", [.closes(.flowControlError)],
      Wire.stream(3, offset: 1 << 40, any)),
    .packet(
      "stream-window-request", "sends beyond the window of the request's stream", "RFC 9000 § 4.1",
      [.closes(.flowControlError)], Wire.stream(0, offset: 1 << 40, any)),
    .packet(
      "stream-offset", "sends beyond the largest offset that there is", "RFC 9000 § 19.8",
      [.closes(.flowControlError, .frameEncodingError)], Wire.stream(3, offset: Wire.largestVarint, any)),
    .packet(
      "stream-limit", "opens more unidirectional streams than allowed", "RFC 9000 § 4.6",
      [.closes(.streamLimitError)], Wire.stream(3 + 4 << 20, offset: 0, any)),
    .packet(
      "stream-limit-largest", "opens the last stream that there could be", "RFC 9000 § 4.6",
      [.closes(.streamLimitError)], Wire.stream(Wire.largestVarint, offset: 0, any)),
    .packet(
      "stream-send-only", "sends on a stream that the client alone sends on", "RFC 9000 § 19.8",
      [.closes(.streamStateError)], Wire.stream(2, offset: 0, any)),
    .packet(
      "stream-not-open", "sends on a request's stream that the client has not opened", "RFC 9000 § 19.8",
      [.closes(.streamStateError)], Wire.stream(4_000, offset: 0, any)),
    .packet(
      "reset-send-only", "resets a stream that the client alone sends on", "RFC 9000 § 19.4",
      [.closes(.streamStateError)], Wire.quic(0x04, 2, 0, 0)),
    .packet(
      "reset-not-open", "resets a request's stream that the client has not opened", "RFC 9000 § 19.4",
      [.closes(.streamStateError)], Wire.quic(0x04, 4_000, 0, 0)),
    .packet(
      "reset-window", "resets a stream with a final size beyond its window", "RFC 9000 § 4.5",
      [.closes(.flowControlError)], Wire.quic(0x04, 3, 0x100, 1 << 40)),
    .packet(
      "stop-receive-only", "sends STOP_SENDING of a stream that the server alone sends on", "RFC 9000 § 19.5",
      [.closes(.streamStateError)], Wire.quic(0x05, 3, 0)),
    .packet(
      "stop-not-open", "sends STOP_SENDING of a stream that the client has not opened", "RFC 9000 § 19.5",
      [.closes(.streamStateError)], Wire.quic(0x05, 4_000, 0)),
    .packet(
      "max-data-receive-only", "sends MAX_STREAM_DATA of a stream that the server alone sends on",
      "RFC 9000 § 19.10", [.closes(.streamStateError)], Wire.quic(0x11, 3, 1 << 20)),
    .packet(
      "max-data-not-open", "sends MAX_STREAM_DATA of a stream that the client has not opened", "RFC 9000 § 19.10",
      [.closes(.streamStateError)], Wire.quic(0x11, 4_000, 1 << 20)),
    .packet(
      "blocked-send-only", "sends STREAM_DATA_BLOCKED of a stream that the client alone sends on",
      "RFC 9000 § 19.13", [.closes(.streamStateError)], Wire.quic(0x15, 2, 0)),
    .packet(
      "max-data-smaller", "takes back room that it gave (MAX_DATA, MAX_STREAM_DATA, MAX_STREAMS)", "RFC 9000 § 4.1",
      [.success], Wire.quic(0x10, 0) + Wire.quic(0x11, 0, 0) + Wire.quic(0x12, 0) + Wire.quic(0x13, 0)),
    .packet(
      "max-streams-too-many", "allows more streams than there could be", "RFC 9000 § 19.11",
      [.closes(.frameEncodingError)], Wire.quic(0x12, 1 << 60 + 1)),
    .packet(
      "streams-blocked-too-many", "is blocked at more streams than there could be", "RFC 9000 § 19.14",
      [.closes(.streamLimitError, .frameEncodingError)], Wire.quic(0x16, 1 << 60 + 1)),
    .packet(
      "final-size-smaller", "ends a stream before bytes that were sent", "RFC 9000 § 4.5",
      [.closes(.finalSizeError)], Wire.stream(0, offset: 100, any) + Wire.stream(0, offset: 10, any, isLast: true)),
    .packet(
      "final-size-passed", "sends bytes behind a stream's end", "RFC 9000 § 4.5", [.closes(.finalSizeError)],
      Wire.stream(0, offset: 10, any, isLast: true) + Wire.stream(0, offset: 100, any)),
    .packet(
      "final-size-changed", "ends a stream at two places", "RFC 9000 § 4.5", [.closes(.finalSizeError)],
      Wire.stream(0, offset: 10, any, isLast: true) + Wire.quic(0x04, 0, 0x100, 100)),
    .packet(
      "ack-unsent", "acknowledges packets that were never sent", "RFC 9000 § 13.1", [.closes(.protocolViolation)],
      Wire.quic(0x02, 1 << 20, 0, 0, 0)),
    .packet(
      "ack-below-zero", "acknowledges packets with numbers below zero", "RFC 9000 § 19.3.1",
      [.closes(.frameEncodingError)], Wire.quic(0x02, 1, 0, 1, 0, 5, 5)),
    .packet(
      "crypto-far-ahead", "sends CRYPTO 4 MB ahead", "RFC 9000 § 7.5", [.closes(.cryptoBufferExceeded)],
      Wire.crypto(4 << 20, any)),
    .packet(
      "new-token-empty", "sends an empty NEW_TOKEN", "RFC 9000 § 19.7", [.closes(.frameEncodingError)],
      Wire.quic(0x07, 0)),
    .packet(
      "connection-id-empty", "sends NEW_CONNECTION_ID with an id of no bytes", "RFC 9000 § 19.15",
      [.closes(.frameEncodingError)], Wire.connectionID(sequence: 1, length: 0)),
    .packet(
      "connection-id-long", "sends NEW_CONNECTION_ID with an id of 21 bytes", "RFC 9000 § 19.15",
      [.closes(.frameEncodingError)], Wire.connectionID(sequence: 1, length: 21)),
    .packet(
      "connection-id-retires-itself", "sends NEW_CONNECTION_ID that retires ids after its own", "RFC 9000 § 19.15",
      [.closes(.frameEncodingError)], Wire.connectionID(sequence: 50, retiring: 51)),
    .packet(
      "connection-id-changes", "sends two ids with one sequence number", "RFC 9000 § 19.15",
      [.closes(.protocolViolation, .connectionIDLimitError)],
      Wire.connectionID(sequence: 50, retiring: 50) + Wire.connectionID(sequence: 50, retiring: 50, filledWith: 9)),
    .packet(
      "connection-ids-many", "sends 30 ids", "RFC 9000 § 5.1.1", [.closes(.connectionIDLimitError)],
      (20..<50).flatMap { Wire.connectionID(sequence: $0, length: 8, filledWith: UInt8($0)) }),
    .packet(
      "retire-unknown", "retires an id that the client never gave", "RFC 9000 § 19.16",
      [.closes(.protocolViolation)], Wire.quic(0x19, 1 << 20)),
    .packet(
      "path-response-unasked", "sends PATH_RESPONSE without a challenge", "RFC 9000 § 19.18",
      [.success, .closes(.protocolViolation)], Wire.quic(0x1b, then: [1, 2, 3, 4, 5, 6, 7, 8])),
    .packet(
      "path-challenges", "sends 50 PATH_CHALLENGEs", "RFC 9000 § 8.2.2", [.success],
      (0..<50).flatMap { Wire.quic(0x1a, then: [UInt8($0), 2, 3, 4, 5, 6, 7, 8]) }),
    .packet(
      "datagram-unasked", "sends DATAGRAM, which the client does not take", "RFC 9221 § 3",
      [.closes(.protocolViolation), .success], Wire.quic(0x31, 4, then: [0, 1, 2, 3])),
    .packet(
      "handshake-done-twice", "sends HANDSHAKE_DONE again", "RFC 9000 § 19.20", [.success], [0x1e, 0x1e]),
  ]
}
