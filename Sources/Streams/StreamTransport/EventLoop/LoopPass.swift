/// An owner's work once at the end of a loop's turn, however often it was asked for: a write pass is system calls that
/// need not keep readers waiting, and what a turn's work adds leaves together. On the loop's thread only.
package final class LoopPass {
  private let loop: EventLoop
  private let body: () -> Void
  private var isDue = false

  package init(_ loop: EventLoop, body: @escaping () -> Void) {
    self.loop = loop
    self.body = body
  }

  /// Asks for it, before the loop waits again.
  package func request() {
    guard !isDue else { return }
    isDue = true
    loop.add(self)
  }

  /// The loop's call.
  func run() {
    isDue = false
    body()
  }
}
