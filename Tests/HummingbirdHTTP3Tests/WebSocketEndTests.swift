import Hummingbird
import HummingbirdHTTP3
import NIOCore
import Synchronization
import TestSupport
import Testing

/// WebSockets that end early: clients that leave or are slow, limits, and servers that shut down.
@Suite(.timeLimit(.minutes(10)))
struct WebSocketEndTests {
  @Test func aClientThatLeavesBeforeTheAnswerCancelsTheHandler() async throws {
    let isAsked = Gate()
    let isCancelled = Gate()
    let server = try await ServerUnderTest(Router()) { _ in
      isAsked.open()
      _ = try? await waitForCancellation()
      isCancelled.open()
      return .accept { _, _ in Issue.record("The client has left.") }
    }
    let client = try await RawClient(server.port)
    try await client.request()
    await isAsked.wait()
    await client.close()
    await isCancelled.wait()
    await server.shutdown()
  }

  @Test func aClientThatLeavesInTheRequestLeavesNothing() async throws {
    let server = try await ServerUnderTest(Router()) { _ in
      Issue.record("The request is not whole.")
      return .refuse(Response(status: .ok))
    }
    let client = try await RawClient(server.port)
    try await client.send(Array("GET /socket HTTP/1.1\r\nupgrade: websocket\r\n".utf8))
    await client.close()
    await server.shutdown()
  }

  enum Departure: CaseIterable, Sendable {
    case whileIdle, inAFrame, inAMessage, inACloseFrame
  }

  /// A handler that only waits is cancelled, one that reads gets an error.
  @Test(arguments: Departure.allCases) func aClientThatLeavesEndsItsHandler(_ departure: Departure) async throws {
    let isRunning = Gate()
    let isOver = Gate()
    let outcome = Mutex<WebSocketError.Code?>(nil)
    let server = try await ServerUnderTest(Router()) { _ in
      .accept { inbound, _ in
        isRunning.open()
        do {
          for try await _ in inbound { Issue.record("No message was whole.") }
          Issue.record("The client did not say goodbye.")
        } catch let error as WebSocketError {
          outcome.withLock { $0 = error.code }
        }
        _ = try? await waitForCancellation()
        isOver.open()
      }
    }
    let client = try await RawClient.webSocket(server.port)
    await isRunning.wait()
    switch departure {
    case .whileIdle: break
    case .inAFrame: try await client.send(Array(ClientFrame.text("hello").bytes.dropLast()))
    case .inAMessage: try await client.send(ClientFrame(0x01, Array("hello".utf8)))
    case .inACloseFrame: try await client.send(Array(ClientFrame.close(1000).bytes.dropLast()))
    }
    await client.close()
    await isOver.wait()
    #expect(outcome.withLock { $0 } == .departed)
    await server.shutdown()
  }

  @Test func drainingClosesWith1001AndCancelsTheHandler() async throws {
    let isRunning = Gate()
    let hasReadToTheEnd = Gate()
    let server = try await ServerUnderTest(Router(), drainTimeout: .seconds(3_600)) { _ in
      .accept { inbound, _ in
        isRunning.open()
        for try await _ in inbound {}
        hasReadToTheEnd.open()
        try await waitForCancellation()
      }
    }
    let client = try await RawClient.webSocket(server.port)
    await isRunning.wait()
    async let drained: Void = server.shutdown()
    #expect(await client.frame()?.closeCode == 1001)
    await hasReadToTheEnd.wait()
    try await client.send(.close(1001))
    await drained
    #expect(await client.rest().isEmpty)
  }

  @Test func drainingDoesNotWaitForAClientThatDoesNotAnswer() async throws {
    var limits = WebSocketLimits.patient
    limits.closeTimeout = .milliseconds(100)
    let isRunning = Gate()
    let server = try await ServerUnderTest(Router(), drainTimeout: .seconds(3_600), webSockets: limits) { _ in
      .accept { _, _ in
        isRunning.open()
        try await waitForCancellation()
      }
    }
    let client = try await RawClient.webSocket(server.port)
    await isRunning.wait()
    await server.shutdown()
    #expect(await client.frame()?.closeCode == 1001)
    #expect(await client.rest().isEmpty)
  }

  @Test func drainingRefusesWhoIsNotAnsweredYet() async throws {
    let isAsked = Gate()
    let mayAnswer = Gate()
    let server = try await ServerUnderTest(Router(), drainTimeout: .seconds(3_600)) { _ in
      isAsked.open()
      await mayAnswer.wait()
      return .accept { _, _ in Issue.record("The server shuts down.") }
    }
    let client = try await RawClient(server.port)
    try await client.request()
    await isAsked.wait()
    async let drained: Void = server.shutdown()
    // Nobody is accepted any more once the drain has begun.
    await until { (try? await RawClient(server.port)) == nil }
    mayAnswer.open()
    #expect(try await client.head().hasPrefix("HTTP/1.1 503 "))
    await drained
  }

  /// The one who does not read holds up its own writer, and the other's continues.
  @Test func aSlowClientSlowsItselfAloneAndIsLeftInTheEnd() async throws {
    var limits = WebSocketLimits.patient
    limits.writeTimeout = .seconds(2)
    limits.closeTimeout = .seconds(1)
    let outcome = Mutex<WebSocketError.Code?>(nil)
    let isOver = Gate()
    let server = try await ServerUnderTest(Router(), webSockets: limits) { request in
      .accept { inbound, outbound in
        guard request.head.path == "/slow" else {
          for try await message in inbound { if case .text(let text) = message { try await outbound.write(text) } }
          return
        }
        let megabyte = ByteBuffer(repeating: 0, count: 1 << 20)
        do {
          for _ in 0..<1_000 { try await outbound.write(megabyte) }
          Issue.record("A gigabyte was taken.")
        } catch let error as WebSocketError {
          outcome.withLock { $0 = error.code }
        }
        isOver.open()
      }
    }
    let slow = try await RawClient(server.port, receiveBuffer: 4_096)
    try await slow.request("GET /slow HTTP/1.1")
    // After the handshake, which has to be read.
    _ = try await slow.head()
    try await slow.stopReading()
    let quick = try await RawClient.webSocket(server.port)
    for number in 0..<100 {
      try await quick.send(.text("\(number)"))
      #expect(await quick.frame() == .text("\(number)"))
    }
    await isOver.wait()
    #expect(outcome.withLock { $0 } == .departed)
    await slow.close()
    await quick.close()
    await server.shutdown()
  }

  /// 64 MiB are more than all buffers on the way hold, so the client's writes wait for the handler.
  @Test func aHandlerThatReadsLateMissesNothing() async throws {
    let mayRead = Gate()
    let server = try await ServerUnderTest(Router()) { _ in
      .accept { inbound, outbound in
        await mayRead.wait()
        var count = 0
        for try await message in inbound {
          if case .binary(let bytes) = message { count += bytes.readableBytes }
          if count == 64 << 20 { try await outbound.write("\(count)") }
        }
      }
    }
    let client = try await RawClient.webSocket(server.port)
    let frame = ByteBuffer(bytes: ClientFrame(0x82, Array(repeating: 0, count: 1 << 20), mask: [0, 0, 0, 0]).bytes)
    let channel = client.channel
    async let all: Void = {
      for _ in 0..<64 { try await channel.writeAndFlush(frame).get() }
    }()
    mayRead.open()
    try await all
    #expect(await client.frame() == .text("\(64 << 20)"))
    await client.close()
    await server.shutdown()
  }

  @Test func limitsHoldInSumAndForOneAddress() async throws {
    for limit in ["sum", "address"] {
      var limits = WebSocketLimits.patient
      if limit == "sum" { limits.maximumConnections = 2 } else { limits.maximumConnectionsPerPrefix = 2 }
      let server = try await ServerUnderTest(Router(), webSockets: limits) { _ in
        .accept { inbound, _ in for try await _ in inbound {} }
      }
      let first = try await RawClient.webSocket(server.port)
      let second = try await RawClient.webSocket(server.port)
      let third = try await RawClient(server.port)
      try await third.request()
      let head = try await third.head().lowercased()
      #expect(head.hasPrefix("http/1.1 503 "))
      #expect(head.contains("\r\nretry-after: 10"))
      _ = await third.rest()
      try await first.send(.close(1000))
      _ = await first.rest()
      // Its place is free as soon as its handler has ended.
      var taken: RawClient?
      while taken == nil {
        let client = try await RawClient(server.port)
        try await client.request()
        if try await client.head().hasPrefix("HTTP/1.1 101 ") { taken = client } else { await client.close() }
      }
      await taken?.close()
      await second.close()
      await server.shutdown()
    }
  }

  @Test func aThousandClientsGetTheWebSocketsThatThereAre() async throws {
    var limits = WebSocketLimits.patient
    limits.maximumConnections = 50
    let server = try await ServerUnderTest(Router(), webSockets: limits) { _ in
      .accept { inbound, outbound in
        for try await message in inbound { if case .text(let text) = message { try await outbound.write(text) } }
      }
    }
    let port = server.port
    let answers = try await withThrowingTaskGroup(of: [(status: String, channel: any Channel)].self) { group in
      for _ in 0..<20 {
        group.addTask {
          var answers: [(status: String, channel: any Channel)] = []
          for _ in 0..<50 {
            let client = try await RawClient(port)
            try await client.request()
            answers.append((String(try await client.head().prefix(12)), client.channel))
            guard answers.last?.status == "HTTP/1.1 101" else {
              await client.close()
              continue
            }
            try await client.send(.text("here"))
            #expect(await client.frame() == .text("here"))
          }
          return answers
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    let statuses = answers.map(\.status)
    #expect(statuses.count { $0 == "HTTP/1.1 101" } == 50)
    #expect(statuses.count { $0 == "HTTP/1.1 503" } == 950)
    for answer in answers { try? await answer.channel.close().get() }
    await server.shutdown()
  }
}
