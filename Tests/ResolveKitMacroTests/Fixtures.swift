import Foundation
import ResolveKitAuthoring

enum Priority: String, CaseIterable, Codable, Sendable { case low, normal, high }
enum Level: Int, CaseIterable, Codable, Sendable { case one = 1, two, three }

struct Address: Codable, Equatable, Sendable {
  var street: String
  var zip: Int32?
}

struct Order: Codable, Equatable, Sendable {
  var id: UInt64
  var items: [String: [Address]]
  var priority: Priority
  var note: String?
  var ratio: Double
}

struct Tree: Codable, Equatable, Sendable {
  var name: String
  var children: [Tree]
}

enum Step: Double, CaseIterable, Codable, Sendable { case half = 0.5, one = 1, two = 2 }

/// Members that no tolerance changes: what the schema accepts is what is read, and the other way round.
struct Strict: Codable, Sendable {
  struct Inner: Codable, Sendable {
    var priority: Priority
    var levels: [Level]
    var small: Int8
  }

  var flag: Bool
  var text: String
  var big: UInt64
  var ratio: Double
  var step: Step
  var inner: [Inner]
  var byName: [Priority: [Int16]]
}

@ResolveKit(name: "send_message", description: "Send a text to a contact", timeout: 15, requiresApproval: true)
struct SendMessage: ResolveKitFunction {
  func perform(contactName: String, messageText: String, urgent: Bool) async throws -> Bool {
    urgent && contactName == "Ann" && messageText == "hi"
  }
}

@ResolveKit(name: "numbers", description: "Takes every kind of number.", requiresApproval: false)
struct Numbers: ResolveKitFunction {
  func perform(
    int: Int, int8: Int8, int16: Int16, int32: Int32, int64: Int64, uint: UInt, uint8: UInt8, uint16: UInt16,
    uint32: UInt32, uint64: UInt64, float: Float, double: Double, graphic: CGFloat
  ) async throws -> [String] {
    [
      "\(int)", "\(int8)", "\(int16)", "\(int32)", "\(int64)", "\(uint)", "\(uint8)", "\(uint16)", "\(uint32)",
      "\(uint64)", "\(float)", "\(double)", "\(graphic)",
    ]
  }
}

@ResolveKit(name: "place_order", description: "Places an order.")
struct PlaceOrder: ResolveKitFunction {
  /// Places an order.
  ///
  /// - Parameters:
  ///   - order: What is ordered,
  ///     and where it goes.
  ///   - levels: How it is handled.
  func perform(
    order: Order, levels: [Level], grid: [[Int8]], byPriority: [Priority: Int], maybe: [Int?], id: UUID
  ) async throws -> Order {
    order
  }
}

@ResolveKit(name: "search", description: "Searches.")
struct Search: ResolveKitFunction {
  static let usualLimit = 7

  /// - Parameter limit: How many at most.
  func perform(
    text: Optional<String>, limit: Int = 10, priority: Priority = .high, other: Int = Self.usualLimit,
    tags: Array<String> = [], weights: Dictionary<String, Double>? = nil, exact: Bool = true, factor: Double = -1.5
  ) async throws -> String {
    "\(text ?? "-") \(limit) \(priority) \(other) \(tags) \(weights?.count ?? -1) \(exact) \(factor)"
  }
}

@ResolveKit(name: "lights", description: "Switches lights.")
struct Lights: ResolveKitFunction {
  func perform(
    _ room: String, in building: String, for `repeat`: Int, context: ResolveKitFunctionContext
  ) async throws
    -> String
  {
    "\(room) \(building) \(`repeat`) \(context.requestID ?? "-")"
  }
}

@ResolveKit(name: "forget", description: "Returns nothing.")
struct Forget: ResolveKitFunction {
  func perform() async throws {}
}

@ResolveKit(name: "plant", description: "Takes a tree.")
struct Plant: ResolveKitFunction {
  func perform(tree: Tree, raw: JSONValue, object: JSONObject?) async throws -> JSONValue {
    ["names": .array(([tree.name] + tree.children.map(\.name)).map { .string($0) }), "raw": raw]
  }
}

@ResolveKit(name: "echo_integer", description: "Gives an integer back.")
struct EchoInteger: ResolveKitFunction {
  func perform(value: Int64, text: String, list: [UInt64]) async throws -> [String: Int64] {
    ["value": value, "list": Int64(list.count), "text": Int64(text) ?? -1]
  }
}

@ResolveKit(name: "broken", description: "Fails by itself.")
struct Broken: ResolveKitFunction {
  struct DiskFull: Error, Equatable {}

  func perform(path: String) async throws -> String { throw DiskFull() }
}

@MainActor
@ResolveKit(name: "on_main", description: "Runs on the main actor.")
struct OnMain: ResolveKitFunction {
  func perform(value: Int) async throws -> Int { value &+ 1 }
}

@ResolveKit(name: "take_strict", description: "Takes what is read without tolerance.")
struct TakeStrict: ResolveKitFunction {
  func perform(strict: Strict) async throws -> Bool { strict.flag }
}

@ResolveKit(name: "standard_types", description: "Takes types of Foundation.")
struct StandardTypes: ResolveKitFunction {
  func perform(date: Date, url: URL, data: Data, decimal: Decimal, ids: Set<UUID>, dates: [Date?]) async throws -> Int {
    data.count
  }
}

@ResolveKit(name: "names", description: "Takes dictionaries with names of every kind.")
struct Names: ResolveKitFunction {
  func perform(
    numbers: [Int8: Int], wide: [UInt64: Bool], flags: [Bool: String]?, ids: [UUID: [String: Int]],
    levels: [Level: Int],
    factors: [Double: Double?] = [:]
  ) async throws -> Int {
    numbers.count
  }
}

@ResolveKit(name: "forest", description: "Takes a recursive type in several places.")
struct Forest: ResolveKitFunction {
  struct Pair: Codable, Sendable {
    var left: Tree
    var right: Tree?
    var steps: [Step]
  }

  func perform(pair: Pair, trees: [String: Tree] = [:], limit: Int? = nil, level: Level = .two) async throws -> Int {
    1
  }
}
