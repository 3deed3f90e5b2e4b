/// The address by which a browser is paired: `https://desk.example:8787/#ID.NONCE`.
///
/// Browsers send no fragment to any server, so the nonce is in no log, and in no `Referer`.
struct PageAddress: Hashable, Sendable {
  let text: String

  init(host: String, port: Int, ticket: PairingTicket) {
    // A literal of version 6 stands in brackets (RFC 3986 § 3.2.2).
    let authority = host.contains(":") ? "[\(host)]" : host
    text = "https://\(authority):\(port)/#\(ticket.pairingID).\(ticket.nonce)"
  }
}
