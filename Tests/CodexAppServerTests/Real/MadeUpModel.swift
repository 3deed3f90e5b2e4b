import NIOCore
import NIOHTTP1
import NIOPosix
import ResolveKitCore
import Synchronization

/// A made-up Responses API on loopback: each request takes the next step, and says "Done." when there is none.
final class MadeUpModel: Sendable {
  /// A step of the model.
  enum Step: Sendable {
    case say(String)
    case run(command: String, callID: String)
  }

  let port: Int
  private let channel: any Channel
  private let steps: Steps

  init(_ steps: Step...) async throws {
    let remaining = Steps(steps)
    self.steps = remaining
    channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .childChannelInitializer { channel in
        channel.pipeline.configureHTTPServerPipeline().flatMapThrowing {
          try channel.pipeline.syncOperations.addHandler(Handler(remaining))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    port = channel.localAddress?.port ?? 0
  }

  deinit { channel.close(promise: nil) }

  /// Adds to what the model does.
  func add(_ steps: Step...) { self.steps.add(steps) }

  private final class Steps: Sendable {
    private let steps: Mutex<[Step]>

    init(_ steps: [Step]) { self.steps = Mutex(steps) }

    func add(_ more: [Step]) { steps.withLock { $0 += more } }

    func next() -> Step { steps.withLock { $0.isEmpty ? .say("Done.") : $0.removeFirst() } }
  }

  private final class Handler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let steps: Steps
    private var isPost = false

    init(_ steps: Steps) { self.steps = steps }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head(let head): isPost = head.method == .POST
      case .body: break
      case .end: answer(context)
      }
    }

    private func answer(_ context: ChannelHandlerContext) {
      var head = HTTPResponseHead(version: .http1_1, status: .notFound, headers: ["connection": "close"])
      if isPost {
        head.status = .ok
        head.headers.add(name: "content-type", value: "text/event-stream")
      }
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      if isPost {
        for event in Self.events(steps.next()) {
          let type = event.objectValue?["type"]?.stringValue ?? ""
          let text = "event: \(type)\ndata: \(event.jsonText)\n\n"
          context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
        }
      }
      let channel = context.channel
      context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    }

    private static func events(_ step: Step) -> [JSONValue] {
      var events: [JSONValue] = [["type": "response.created", "response": ["id": "resp_1"]]]
      let item: JSONValue
      switch step {
      case .say(let text):
        item = [
          "type": "message", "id": "msg_1", "role": "assistant",
          "content": [["type": "output_text", "text": .string(text)]],
        ]
        events.append([
          "type": "response.output_item.added", "output_index": 0,
          "item": ["type": "message", "id": "msg_1", "role": "assistant", "content": []],
        ])
        for word in text.split(separator: " ") {
          events.append([
            "type": "response.output_text.delta", "item_id": "msg_1", "output_index": 0, "content_index": 0,
            "delta": .string(word + " "),
          ])
        }
      case .run(let command, let callID):
        let arguments: JSONValue = ["cmd": .string(command)]
        item = [
          "type": "function_call", "id": .string("fc_" + callID), "call_id": .string(callID), "name": "exec_command",
          "arguments": .string(arguments.jsonText),
        ]
        events.append(["type": "response.output_item.added", "output_index": 0, "item": item])
      }
      events.append(["type": "response.output_item.done", "output_index": 0, "item": item])
      events.append([
        "type": "response.completed",
        "response": [
          "id": "resp_1",
          "usage": [
            "input_tokens": 10, "output_tokens": 5, "total_tokens": 15, "input_tokens_details": nil,
            "output_tokens_details": nil,
          ],
        ],
      ])
      return events
    }
  }
}
