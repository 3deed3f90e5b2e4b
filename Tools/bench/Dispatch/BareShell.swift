import ResolveKitCore
import StreamTransport

/// The least that running a tool costs: a task for its body, and the way back to the bookkeeper.
actor BareShell {
  private var waiter: CheckedContinuation<Void, Never>?
  private var open = 0
  private(set) var answered = 0

  func dispatch(_ calls: Int) async {
    open += calls
    for number in 0..<calls {
      Task.detached {
        let value = try? await EchoTool.invoke(
          arguments: ["n": .number(Double(number))], context: ResolveKitFunctionContext())
        await self.returned(value)
      }
    }
    await withCheckedContinuation { continuation in
      if open == 0 { continuation.resume() } else { waiter = continuation }
    }
  }

  private func returned(_ value: JSONValue?) {
    if value != nil { answered += 1 }
    open -= 1
    if open == 0 {
      waiter?.resume()
      waiter = nil
    }
  }
}
