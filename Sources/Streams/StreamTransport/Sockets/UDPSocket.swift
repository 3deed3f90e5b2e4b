import CLinux
import Foundation
package import HTTP3Engine

/// A non-blocking UDP socket: batches of datagrams in and out, with path and ECN mark. Owned by one loop.
package final class UDPSocket {
  /// The outcome of sending a batch.
  package enum SendOutcome: Hashable, Sendable {
    /// The kernel took it, or it counts as lost.
    case done
    /// The rest is kept. Produce nothing new until ``sendPending()`` is done: on `writable`, or after `retryAfter`
    /// where the kernel gives no such sign.
    case blocked(retryAfter: Duration?)
    /// The path does not work now; what was not sent counts as lost.
    case failed(SystemError)
  }

  /// The outcome of one receive call.
  package enum ReceiveOutcome: Hashable, Sendable {
    case drained
    /// There may be more; give others their turn first.
    case more
    /// An error that the kernel kept for this socket, such as ECONNREFUSED.
    case failed(SystemError)
  }

  /// Room for the datagrams that the kernel joins where they follow each other (UDP_GRO); with less it would cut
  /// most of them (MSG_TRUNC).
  package static let slotSize = 64 << 10
  /// The smallest that can be QUIC (RFC 9000 § 10.3).
  private static let smallest = 21
  private static let callsPerTurn = 4
  /// Messages that a call asks for: few where few came last, as each has to be prepared in memory that is cold after a
  /// wait.
  private static let (fewSlots, mostSlots) = (2, Int(CLINUX_RECEIVE_SLOTS))

  /// The descriptor's number, -1 once it is closed, so that no later call can meet another's descriptor.
  private(set) var number: CInt
  private var descriptor: FileDescriptor?
  /// The address that the socket is bound to; on a connected one the path's own end.
  package let localAddress: NetworkAddress
  private let remoteAddress: NetworkAddress?
  private let family: UInt8
  private var pending: Pending?
  private var slots = UDPSocket.fewSlots
  /// Whether a batch is given to the kernel, or the network card, in one piece (UDP_SEGMENT); until that fails where one
  /// by one does not.
  package private(set) var sendsSegments = true
  /// Whether ECN marks are set; until what the kernel refuses with a mark passes without.
  package private(set) var marksECN = true
  /// Datagrams that the kernel would not take, or cut on receipt.
  package private(set) var droppedCount: UInt64 = 0
  /// The kernel's count that was last asked for; it begins again behind its greatest number.
  private var kernelDropCount: UInt32 = 0

  private struct Pending {
    var bytes: [UInt8]
    var segmentSize: Int
    var path: NetworkPath
    var ecn: ECNCodepoint
  }

  /// A socket for many peers.
  ///
  /// - Parameter joining: whether another socket of this user has the address, and shares it (``share()``).
  package init(bindingTo address: NetworkAddress, joining: Bool = false) throws(SystemError) {
    var local = address.system
    let descriptor = try FileDescriptor(opening: "bind", clinux_udp_open(&local, true, joining))
    number = descriptor.number
    family = local.family
    remoteAddress = nil
    localAddress = try Self.localAddress(of: descriptor, else: address)
    self.descriptor = consume descriptor
  }

  /// A socket for many peers that another process has bound; owns the descriptor from now on, also where it throws.
  package init(adopting number: CInt) throws(SystemError) {
    let descriptor = FileDescriptor(owning: number)
    let family = clinux_udp_adopt(number)
    guard family >= 0 else { throw SystemError("setsockopt", answer: family) }
    self.number = number
    self.family = UInt8(family)
    remoteAddress = nil
    localAddress = try Self.localAddress(of: descriptor, else: .loopback(port: 0))
    self.descriptor = consume descriptor
  }

  /// A socket for one peer: the kernel reports when nobody listens, and chooses the source address unless it is given.
  package init(connectingTo address: NetworkAddress, from source: NetworkAddress? = nil) throws(SystemError) {
    var local = (source ?? address.wildcard).system
    let descriptor = try FileDescriptor(opening: "socket", clinux_udp_open(&local, false, false))
    var remote = address.system
    let answer = clinux_udp_connect(descriptor.number, &remote)
    guard answer >= 0 else { throw SystemError("connect", answer: answer) }
    number = descriptor.number
    family = local.family
    remoteAddress = address
    localAddress = try Self.localAddress(of: descriptor, else: address.wildcard)
    self.descriptor = consume descriptor
  }

  private static func localAddress(
    of descriptor: borrowing FileDescriptor, else fallback: NetworkAddress
  ) throws(SystemError) -> NetworkAddress {
    var local = clinux_address()
    let answer = clinux_udp_local_address(descriptor.number, &local)
    guard answer >= 0 else { throw SystemError("getsockname", answer: answer) }
    return NetworkAddress(local) ?? fallback
  }

  /// The path of a connected socket.
  package var path: NetworkPath? {
    remoteAddress.map { NetworkPath(local: localAddress, remote: $0) }
  }

  package var isBlocked: Bool { pending != nil }

  /// Counts what ``SendOutcome/blocked(retryAfter:)`` left as lost.
  package func dropPending() {
    guard let rest = pending else { return }
    droppedCount &+= UInt64((rest.bytes.count + rest.segmentSize - 1) / rest.segmentSize)
    pending = nil
  }

  /// Gives the port back at once; what is asked of the socket later fails. Unregister it from its loop before.
  package func close() {
    number = -1
    descriptor = nil
    pending = nil
  }

  // MARK: In

  /// Reads what waits, up to a bound for one turn, into `buffer`; `each` gets every datagram.
  package func receive(
    into buffer: UnsafeMutableRawBufferPointer, slotSize: Int = UDPSocket.slotSize,
    _ each: (UnsafeRawBufferPointer, NetworkPath, ECNCodepoint) -> Void
  ) -> ReceiveOutcome {
    // 1 KiB, the most that Swift takes from the stack.
    withUnsafeTemporaryAllocation(of: clinux_datagram.self, capacity: Int(CLINUX_RECEIVE_SLOTS)) { found in
      for _ in 0..<Self.callsPerTurn {
        let offered = min(slots, buffer.count / max(slotSize, 1))
        let count = clinux_udp_receive(
          number, buffer.baseAddress, buffer.count, slotSize, UInt32(offered), found.baseAddress)
        guard count >= 0 else {
          return count == -EAGAIN ? .drained : .failed(SystemError("recvmmsg", answer: count))
        }
        slots = count < Self.fewSlots ? Self.fewSlots : Self.mostSlots
        for datagram in found[..<Int(count)] { deliver(datagram, in: buffer, each) }
        if count < offered { return .drained }
      }
      return .more
    }
  }

  /// Datagrams that found the receive buffer full since the last call; 0 where the kernel does not tell.
  package func takeKernelDrops() -> UInt32 {
    let count = Self.kernelDropCount(of: number) ?? kernelDropCount
    defer { kernelDropCount = count }
    return count &- kernelDropCount
  }

  /// The count that SO_RXQ_OVFL puts beside each datagram, asked for without one (sk_getsockopt, SO_MEMINFO).
  private static func kernelDropCount(of number: CInt) -> UInt32? {
    let (option, index) = (CInt(55), 8)
    var numbers = [UInt32](repeating: 0, count: index + 1)
    var size = socklen_t(numbers.count * MemoryLayout<UInt32>.size)
    guard getsockopt(number, SOL_SOCKET, option, &numbers, &size) == 0 else { return nil }
    return Int(size) > index * MemoryLayout<UInt32>.size ? numbers[index] : nil
  }

  private func deliver(
    _ datagram: clinux_datagram, in buffer: UnsafeMutableRawBufferPointer,
    _ each: (UnsafeRawBufferPointer, NetworkPath, ECNCodepoint) -> Void
  ) {
    guard !datagram.truncated, let path = path(of: datagram), let ecn = ECNCodepoint(rawValue: datagram.ecn)
    else {
      droppedCount &+= 1
      return
    }
    let start = Int(datagram.offset)
    let bytes = UnsafeRawBufferPointer(rebasing: buffer[start..<start + Int(datagram.length)])
    let size = datagram.segment_size > 0 ? Int(datagram.segment_size) : bytes.count
    var offset = 0
    while offset < bytes.count {
      let segment = bytes[offset..<min(offset + size, bytes.count)]
      if segment.count >= Self.smallest { each(UnsafeRawBufferPointer(rebasing: segment), path, ecn) }
      offset += size
    }
  }

  private func path(of datagram: clinux_datagram) -> NetworkPath? {
    if let path { return path }
    guard let remote = NetworkAddress(datagram.remote) else { return nil }
    guard var local = NetworkAddress(datagram.local) else {
      return NetworkPath(local: localAddress, remote: remote)
    }
    local.port = localAddress.port
    return NetworkPath(local: local, remote: remote)
  }

  // MARK: Out

  /// Sends a batch; the batch itself may be reused at once, whatever the outcome.
  package func send(_ batch: DatagramBatch) -> SendOutcome {
    send(batch.bytes, segmentSize: batch.segmentSize, path: batch.path, ecn: batch.ecn)
  }

  /// Sends what ``SendOutcome/blocked(retryAfter:)`` left.
  package func sendPending() -> SendOutcome {
    guard let rest = pending else { return .done }
    pending = nil
    return rest.bytes.withUnsafeBytes {
      send($0, segmentSize: rest.segmentSize, path: rest.path, ecn: rest.ecn)
    }
  }

  /// Sends `bytes` as datagrams of `segmentSize` bytes, the last one perhaps shorter.
  package func send(
    _ bytes: UnsafeRawBufferPointer, segmentSize: Int, path: NetworkPath, ecn: ECNCodepoint
  ) -> SendOutcome {
    precondition(pending == nil, "A blocked socket takes nothing new.")
    guard segmentSize > 0 else { return .done }
    var offset = 0
    var refusal: SystemError?
    var mark = marksECN ? ecn : .notECT
    while offset < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
      let (sent, answer) = submit(rest, segmentSize: segmentSize, path: path, ecn: mark)
      offset += sent * segmentSize
      // An address that is not there is refused with and without a mark, and says nothing of marks.
      if sent > 0, mark != ecn { marksECN = false }
      guard answer < 0 else { break }
      let error = SystemError("sendmmsg", answer: answer)
      switch error.number {
      case EIO where mark != .notECT, EINVAL where mark != .notECT:
        // Some kernels refuse the mark in this way (quinn PR 2719): QUIC notices that no marks arrive.
        mark = .notECT
      case EAGAIN, ENOBUFS, ENOMEM:
        pending = Pending(bytes: Array(bytes[offset...]), segmentSize: segmentSize, path: path, ecn: ecn)
        // Only a full socket buffer is followed by EPOLLOUT; a full device queue is not.
        return .blocked(retryAfter: error.number == EAGAIN ? nil : .milliseconds(1))
      case EMSGSIZE:
        // A path-MTU probe, or a path that became narrower: the one datagram is lost, as it would be farther on.
        droppedCount &+= 1
        offset += segmentSize
      case ECONNREFUSED where refusal == nil:
        // It belongs to an earlier datagram; reading it has cleared it, so the same one is tried again.
        refusal = error
      default:
        droppedCount &+= UInt64((bytes.count - offset + segmentSize - 1) / segmentSize)
        return .failed(error)
      }
    }
    return refusal.map { .failed($0) } ?? .done
  }

  private func submit(
    _ bytes: UnsafeRawBufferPointer, segmentSize: Int, path: NetworkPath, ecn: ECNCodepoint
  ) -> (sent: Int, answer: CInt) {
    var remote = path.remote.system
    var local = path.local.system
    let isConnected = remoteAddress != nil
    let mark = ecn.rawValue
    return withUnsafePointer(to: &remote) { remote in
      withUnsafePointer(to: &local) { local in
        let remote: UnsafePointer<clinux_address>? = isConnected ? nil : remote
        let local: UnsafePointer<clinux_address>? = isConnected ? nil : local
        var wasRefused = false
        if sendsSegments, bytes.count > segmentSize {
          let answer = clinux_udp_send_segments(
            number, family, remote, local, mark, bytes.baseAddress, bytes.count, segmentSize)
          switch -answer {
          case 0: return ((bytes.count + segmentSize - 1) / segmentSize, 0)
          // The card or the kernel cannot, perhaps from one moment to the next: the same datagrams go one by one.
          case EIO, EINVAL: wasRefused = true
          // One of them is a path-MTU probe, or the path became narrower: the others may pass.
          case EMSGSIZE: break
          default: return (0, answer)
          }
        }
        var sent: UInt32 = 0
        let answer = clinux_udp_send(
          number, family, remote, local, mark, bytes.baseAddress, bytes.count, segmentSize, &sent)
        // What fails either way, such as a send from an address that is gone, is not the fault of the one piece.
        if wasRefused, sent > 0 { sendsSegments = false }
        return (Int(sent), answer)
      }
    }
  }
}
