import LinkEmulator

extension EmulatedLink {
  /// A TCP connection across the link, whose ends wait for 10 s at most.
  func connectTCP(port: UInt16) throws -> (client: ProbeSocket, server: ProbeSocket) {
    let listener = try run(on: .server) { () throws(EmulatorError) in
      let socket = try ProbeSocket(.tcp)
      try socket.bind(LinkSide.server.address, port: port)
      try socket.setTimeout(milliseconds: 10_000)
      try socket.listen()
      return socket
    }
    let client = try run(on: .client) { () throws(EmulatorError) in
      let socket = try ProbeSocket(.tcp)
      try socket.setTimeout(milliseconds: 10_000)
      try socket.connect(LinkSide.server.address, port: port)
      return socket
    }
    return (client, try listener.accept())
  }
}
