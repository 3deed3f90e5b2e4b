import CQUIC

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

/// The connection behind a GnuTLS session, for GnuTLS's callbacks.
func connection(behind session: gnutls_session_t?) -> HTTP3Connection? {
  guard let reference = gnutls_session_get_ptr(session) else { return nil }
  let owner = reference.assumingMemoryBound(to: CQUIC_session_ref.self).pointee.owner
  return owner.map { Unmanaged<HTTP3Connection>.fromOpaque($0).takeUnretainedValue() }
}
