import Testing
@testable import ResolveKitCore
@Test func registryStartsEmpty() async { #expect(await ResolveKitRegistry().definitions.isEmpty) }
