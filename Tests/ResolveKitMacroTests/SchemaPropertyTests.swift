import ResolveKitAuthoring
import TestSupport
import Testing

/// What the schema of a tool accepts, its arguments' reading accepts.
@Suite(
  .enabled(
    if: JSONSchemaValidator.interpreter != nil,
    "no python3 has the library jsonschema; 'Tools/setup --tests' installs it"))
struct SchemaPropertyTests {
  private static let tools: [any AnyResolveKitFunction.Type] = [
    SendMessage.self, Numbers.self, PlaceOrder.self, Search.self, Lights.self, Forget.self, Plant.self,
    EchoInteger.self, Broken.self, OnMain.self,
  ]

  @Test(arguments: tools.indices, [1, 2, 3] as [UInt64])
  func whatTheSchemaAcceptsTheToolReads(index: Int, seed: UInt64) async throws {
    let tool = Self.tools[index]
    let schema = tool.resolveKitParametersSchema
    var generator = InstanceGenerator(root: schema, random: SeededGenerator(seed: seed))
    let instances = (0..<800).map { _ in generator.instance() }
    let verdicts = try JSONSchemaValidator.accepted(instances, by: schema)
    try #require(verdicts.count == instances.count)
    for (instance, isAccepted) in zip(instances, verdicts) where isAccepted {
      do {
        _ = try await tool.invoke(
          exactly: ResolveKitArguments(parsing: instance), context: ResolveKitFunctionContext())
      } catch let error as ResolveKitFunctionError {
        Issue.record("\(tool.resolveKitName), seed \(seed): \(instance): \(error)")
      } catch is Broken.DiskFull {}
    }
    let accepted = verdicts.count { $0 }
    #expect(accepted > 0 && accepted < instances.count, "seed \(seed): \(accepted) of \(instances.count) were accepted")
    print("\(tool.resolveKitName): seed \(seed), \(accepted) of \(instances.count) instances accepted")
  }
}
