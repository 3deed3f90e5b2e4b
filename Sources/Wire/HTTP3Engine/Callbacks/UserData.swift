/// The connection that both libraries were given as user data. A free function, because C callbacks capture nothing,
/// not even a type.
func connection(behind userData: UnsafeMutableRawPointer?) -> HTTP3Connection? {
  userData.map { Unmanaged<HTTP3Connection>.fromOpaque($0).takeUnretainedValue() }
}

/// The same, lent for one call and not counted: for what is called for each packet.
func withConnection<Result>(
  behind userData: UnsafeMutableRawPointer?, _ body: (HTTP3Connection) -> Result
) -> Result? {
  userData.map { Unmanaged<HTTP3Connection>.fromOpaque($0)._withUnsafeGuaranteedRef(body) }
}
