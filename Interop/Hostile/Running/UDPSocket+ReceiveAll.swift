import HTTP3Engine
import StreamTransport

extension UDPSocket {
  /// Hands over every datagram that has arrived; an error that the kernel kept belongs to a peer that is gone.
  ///
  /// To be called on `loop`, whose buffer it uses.
  func receiveAll(on loop: EventLoop, _ each: (UnsafeRawBufferPointer, NetworkPath, ECNCodepoint) -> Void) {
    while case .more = receive(into: loop.receiveBuffer, each) {}
  }
}
