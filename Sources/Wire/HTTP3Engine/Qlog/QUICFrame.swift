/// A frame of a QUIC packet (RFC 9000 § 19, RFC 9221 § 4), without the data that it carries.
package enum QUICFrame: Equatable {
  package enum Direction: Equatable {
    case bidirectional
    case unidirectional
  }

  /// The acknowledged packets, the largest first; ``omittedRanges`` more were in the frame.
  package struct Acknowledgement: Equatable {
    package var ranges: [ClosedRange<UInt64>]
    package var omittedRanges: UInt64
    /// The delay as it is on the wire: in units of 2 to the power of the sender's `ack_delay_exponent`, in
    /// microseconds.
    package var delay: UInt64
    package var marks: Marks?

    package init(ranges: [ClosedRange<UInt64>], omittedRanges: UInt64 = 0, delay: UInt64, marks: Marks? = nil) {
      self.ranges = ranges
      self.omittedRanges = omittedRanges
      self.delay = delay
      self.marks = marks
    }
  }

  /// Packets that came with each ECN mark.
  package struct Marks: Equatable {
    package var ect0: UInt64
    package var ect1: UInt64
    package var congestionExperienced: UInt64

    package init(ect0: UInt64, ect1: UInt64, congestionExperienced: UInt64) {
      self.ect0 = ect0
      self.ect1 = ect1
      self.congestionExperienced = congestionExperienced
    }
  }

  package struct Close: Equatable {
    package var isApplication: Bool
    package var code: UInt64
    /// The type of the frame that was to blame; 0 when unknown, nil in the application's form.
    package var frameType: UInt64?
    package var reason: String

    package init(isApplication: Bool, code: UInt64, frameType: UInt64?, reason: String) {
      self.isApplication = isApplication
      self.code = code
      self.frameType = frameType
      self.reason = reason
    }
  }

  case padding(count: Int)
  case ping
  case acknowledgement(Acknowledgement)
  case resetStream(id: UInt64, code: UInt64, finalSize: UInt64)
  case stopSending(id: UInt64, code: UInt64)
  case crypto(offset: UInt64, length: Int)
  /// The token is a credential: its length is all that is kept of it.
  case newToken(length: Int)
  case stream(id: UInt64, offset: UInt64, length: Int, isLast: Bool)
  case maxData(UInt64)
  case maxStreamData(id: UInt64, UInt64)
  case maxStreams(Direction, UInt64)
  case dataBlocked(UInt64)
  case streamDataBlocked(id: UInt64, UInt64)
  case streamsBlocked(Direction, UInt64)
  /// Without the reset token, which is a secret (RFC 9000 § 10.3).
  case newConnectionID(sequence: UInt64, retirePriorTo: UInt64, id: [UInt8])
  case retireConnectionID(sequence: UInt64)
  case pathChallenge(UInt64)
  case pathResponse(UInt64)
  case close(Close)
  case handshakeDone
  case datagram(length: Int)
  /// A type that is not known, or a frame that breaks its own rules: nothing behind it can be read either.
  case unknown(type: UInt64?, length: Int)
}
