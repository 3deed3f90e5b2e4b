/// Decides which clients an endpoint takes. Called on the endpoint's thread, for the first packets of connections alone.
package protocol ConnectionAdmission: AnyObject {
  /// Whether a client that has not proven its address may continue without; otherwise it is asked to prove it (Retry,
  /// RFC 9000 § 8.1.2). Nothing is counted against an address that may be forged.
  func takesUnproven(from address: NetworkAddress) -> Bool

  /// Whether a client that has proven its address may have the connection `key`; otherwise it is refused
  /// (CONNECTION_REFUSED) and nothing is kept of it.
  func admit(_ key: ConnectionKey, from address: NetworkAddress) -> Bool

  /// A client was to have the connection `key`, admitted or not, and it was not made.
  func withdraw(_ key: ConnectionKey)
}
