import CLinux

/// A file descriptor with one owner; the kernel's object is closed with it.
package struct FileDescriptor: ~Copyable {
  let number: CInt

  /// Takes over the answer of a system call that opens something.
  init(opening call: String, _ answer: CInt) throws(SystemError) {
    guard answer >= 0 else { throw SystemError(call, answer: answer) }
    number = answer
  }

  /// Takes over a descriptor that is open.
  init(owning number: CInt) {
    self.number = number
  }

  deinit {
    clinux_close(number)
  }
}
