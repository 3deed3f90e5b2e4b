import CLinux

/// A file descriptor with one owner; the kernel's object is closed with it.
package struct Descriptor: ~Copyable, Sendable {
  package let number: CInt

  /// Takes over the answer of a system call that opens something.
  init(opening call: String, _ answer: CInt) throws(EmulatorError) {
    number = try check(call, answer)
  }

  package init(owning number: CInt) { self.number = number }

  /// Gives the descriptor to another owner.
  consuming func release() -> CInt {
    let number = number
    discard self
    return number
  }

  deinit { clinux_close(number) }
}
