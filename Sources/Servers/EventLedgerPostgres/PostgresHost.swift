import CPostgres
import Glibc

/// One of the hosts that an address names. libpq takes them all, but one deadline for all of them would end with the
/// first that is silent.
struct PostgresHost {
  /// The parameters that name it.
  let parameters: [(String, String)]

  /// Addresses of one name that are tried.
  private static let addressLimit = 8

  /// The host at each of the addresses that its name has; itself where it is an address, a folder, or has one alone.
  func atEachAddress(_ lookUp: (String) -> [String]) -> [PostgresHost] {
    func value(_ keyword: String) -> String? { parameters.last { $0.0 == keyword }?.1 }
    guard let name = value("host"), !name.isEmpty, !name.hasPrefix("/"), !name.hasPrefix("@"),
      (value("hostaddr") ?? "").isEmpty
    else { return [self] }
    let addresses = lookUp(name).prefix(Self.addressLimit)
    guard addresses.count > 1 else { return [self] }
    return addresses.map { PostgresHost(parameters: parameters + [("hostaddr", $0)]) }
  }

  /// The numeric addresses of a name, in the system's order; none where it is not found, which libpq tells. Waits for the name
  /// server.
  static func addresses(ofName name: String) -> [String] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(name, nil, &hints, &list) == 0 else { return [] }
    defer { freeaddrinfo(list) }
    var addresses: [String] = []
    var entry = list
    while let current = entry {
      var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let info = current.pointee
      if getnameinfo(info.ai_addr, info.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 {
        let address = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if !addresses.contains(address) { addresses.append(address) }
      }
      entry = info.ai_next
    }
    return addresses
  }

  /// The hosts in their order; none where the address names none, or is none: libpq says what is wrong with it.
  static func all(in url: String) -> [PostgresHost] {
    guard let options = PQconninfoParse(url, nil) else { return [] }
    defer { PQconninfoFree(options) }
    var lists: [String: [String]] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val {
        lists[String(cString: keyword)] =
          String(cString: value).split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      }
      option += 1
    }
    let names = ["host", "hostaddr", "port"]
    let count = max(lists["host"]?.count ?? 0, lists["hostaddr"]?.count ?? 0)
    return (0..<count).map { place in
      PostgresHost(
        parameters: names.compactMap { name in
          // One port is every host's.
          guard let list = lists[name], let value = list.indices.contains(place) ? list[place] : list.first else {
            return nil
          }
          return (name, value)
        })
    }
  }
}
