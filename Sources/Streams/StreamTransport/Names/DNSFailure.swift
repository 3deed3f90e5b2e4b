import CAres

/// DNS gave no address of a name.
struct DNSFailure: Error, CustomStringConvertible {
  /// c-ares's code.
  private let status: CInt

  init(status: CInt) {
    self.status = status
  }

  /// Whether name servers said that there is none, and not that asking failed.
  var isNotFound: Bool { CAres_is_not_found(status) }

  var description: String { String(cString: ares_strerror(status)) }
}
