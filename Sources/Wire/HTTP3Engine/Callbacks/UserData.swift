import CQUIC

/// The delegate that the QUIC library was given as user data. A free function, because C callbacks capture nothing,
/// not even a type.
func delegate(behind userData: UnsafeMutableRawPointer?) -> LibraryDelegate? {
  userData.map { Unmanaged<LibraryDelegate>.fromOpaque($0).takeUnretainedValue() }
}

/// The same, lent for one call and not counted: for what is called for each packet.
func withDelegate<Result>(
  behind userData: UnsafeMutableRawPointer?, _ body: (LibraryDelegate) -> Result
) -> Result? {
  userData.map { Unmanaged<LibraryDelegate>.fromOpaque($0)._withUnsafeGuaranteedRef(body) }
}

/// The delegate behind a GnuTLS session, for GnuTLS's callbacks.
func delegate(behind session: gnutls_session_t?) -> LibraryDelegate? {
  guard let reference = gnutls_session_get_ptr(session) else { return nil }
  let owner = reference.assumingMemoryBound(to: CQUIC_session_ref.self).pointee.owner
  return owner.map { Unmanaged<LibraryDelegate>.fromOpaque($0).takeUnretainedValue() }
}
