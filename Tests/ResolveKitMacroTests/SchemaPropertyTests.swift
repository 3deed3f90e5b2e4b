import Foundation
import ResolveKitAuthoring
import TestSupport
import Testing

/// Every instance that a tool's schema accepts, its arguments' decoding accepts. Where a build is judged (`CI` is
/// set) this is never left out.
@Suite(
  .enabled(
    if: JSONSchemaValidator.interpreter != nil || ProcessInfo.processInfo.environment["CI"] != nil,
    "no python3 has the library jsonschema; 'Tools/setup --tests' installs it"))
struct SchemaPropertyTests {
  private static let tools: [any AnyResolveKitFunction.Type] = [
    SendMessage.self, Numbers.self, PlaceOrder.self, Search.self, Lights.self, Forget.self, Plant.self,
    EchoInteger.self, Broken.self, OnMain.self, TakeStrict.self, StandardTypes.self, Names.self, Forest.self,
  ]

  @Test(arguments: tools.indices, [1, 2, 3] as [UInt64])
  func whatTheSchemaAcceptsTheToolReads(index: Int, seed: UInt64) async throws {
    let tool = Self.tools[index]
    let verdicts = try Self.verdicts(of: tool, seed: seed)
    for (instance, isAccepted) in verdicts where isAccepted {
      let fault = try await Self.fault(of: tool, given: instance)
      // A JSONValue holds no number beyond a Double's digits, and is not given another one in its place.
      if fault?.contains("send a longer one as a string") == true { continue }
      #expect(fault == nil, "\(tool.resolveKitName), seed \(seed): \(instance)")
    }
    let accepted = verdicts.count { $0.isAccepted }
    #expect(accepted > 20 && accepted < verdicts.count, "seed \(seed): \(accepted) of \(verdicts.count) were accepted")
  }

  /// Inside a type's own `Decodable` types must match, so that there both say the same.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func whatIsReadWithoutToleranceTheSchemaAccepts(seed: UInt64) async throws {
    for (instance, isAccepted) in try Self.verdicts(of: TakeStrict.self, seed: seed) {
      let fault = try await Self.fault(of: TakeStrict.self, given: instance)
      #expect((fault == nil) == isAccepted, "seed \(seed): \(instance): \(fault ?? "read")")
    }
  }

  private static func verdicts(
    of tool: any AnyResolveKitFunction.Type, seed: UInt64
  ) throws -> [(instance: String, isAccepted: Bool)] {
    let schema = tool.resolveKitParametersSchema
    var generator = InstanceGenerator(root: schema, random: SeededGenerator(seed: seed))
    let instances = (0..<800).map { _ in generator.instance() }
    let verdicts = try JSONSchemaValidator.accepted(instances, by: schema)
    try #require(verdicts.count == instances.count)
    return Array(zip(instances, verdicts)).map { (instance: $0, isAccepted: $1) }
  }

  /// The tool's refusal of its arguments; nil where it was run.
  private static func fault(of tool: any AnyResolveKitFunction.Type, given instance: String) async throws -> String? {
    do {
      _ = try await tool.invoke(exactly: ResolveKitArguments(parsing: instance), context: ResolveKitFunctionContext())
    } catch let error as ResolveKitFunctionError {
      return "\(error)"
    } catch let error as JSONError where error.code == .unexpectedShape {
      // Now and then an instance is no object.
      return "\(error)"
    } catch is Broken.DiskFull {}
    return nil
  }
}
