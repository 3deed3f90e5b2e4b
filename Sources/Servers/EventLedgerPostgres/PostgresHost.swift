import CPostgres

/// One of the hosts that an address names. libpq takes them all, but one deadline for all of them would end with the
/// first that is silent.
struct PostgresHost {
  /// The parameters that name it.
  let parameters: [(String, String)]

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
