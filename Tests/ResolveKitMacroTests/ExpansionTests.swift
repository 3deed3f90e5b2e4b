import SwiftSyntaxMacrosGenericTestSupport
import Testing

struct ExpansionTests {
  /// The expansion of a tool without parameters and result, whose body ends with a brace on a line of its own.
  static func expanded(_ body: String, name: String, description: String) -> String {
    """
    \(body.dropLast(2))

      public nonisolated static let resolveKitName = "\(name)"

      public nonisolated static let resolveKitDescription = "\(description)"

      public nonisolated static let resolveKitTimeoutSeconds: Int? = nil

      public nonisolated static let resolveKitRequiresApproval: Bool = true

      public nonisolated struct Input: Codable, Sendable {
      }

      public nonisolated static let resolveKitParametersSchema: ResolveKitCore.JSONObject = ["type": .string("object"), "properties": .object([:]), "required": .array([])]

      public nonisolated static func invoke(arguments: ResolveKitCore.JSONObject, context: ResolveKitCore.ResolveKitFunctionContext) async throws -> ResolveKitCore.JSONValue {
        try await invoke(exactly: ResolveKitCore.ResolveKitArguments(arguments), context: context)
      }

      public nonisolated static func invoke(exactly arguments: ResolveKitCore.ResolveKitArguments, context: ResolveKitCore.ResolveKitFunctionContext) async throws -> ResolveKitCore.JSONValue {
        try await Self().resolveKitPerform(arguments, context)
      }

      private func resolveKitPerform(_ resolveKitArguments: ResolveKitCore.ResolveKitArguments, _ resolveKitContext: ResolveKitCore.ResolveKitFunctionContext) async throws -> ResolveKitCore.JSONValue {
        try await perform()
        return .null
      }
    }

    extension A: AnyResolveKitFunction {
    }
    """
  }

  @Test func aToolWithoutParameters() {
    let body = "struct A {\n  func perform() async throws {}\n}"
    expectExpansion(
      of: "@ResolveKit(name: \"a\", description: \"d\")\n\(body)",
      is: Self.expanded(body, name: "a", description: "d"))
  }

  @Test func aToolWithEverything() {
    expectExpansion(
      of: #"""
        @ResolveKit(name: "find", description: """
          Finds "things".
          Says where.
          """, timeout: 20, requiresApproval: false)
        public struct Find {
          /// Finds things.
          /// - Parameters:
          ///   - text: What to look for,
          ///     in words.
          ///   - limit: How many
          ///
          /// - Returns: Places.
          public func perform(
            _ text: String, in kinds: Set<Kind>?, limit: Int = 10, with context: ResolveKitFunctionContext
          ) async throws -> [Place] {
            []
          }
        }
        """#,
      is: #"""
        public struct Find {
          /// Finds things.
          /// - Parameters:
          ///   - text: What to look for,
          ///     in words.
          ///   - limit: How many
          ///
          /// - Returns: Places.
          public func perform(
            _ text: String, in kinds: Set<Kind>?, limit: Int = 10, with context: ResolveKitFunctionContext
          ) async throws -> [Place] {
            []
          }

          public nonisolated static let resolveKitName = "find"

          public nonisolated static let resolveKitDescription = "Finds \"things\".\nSays where."

          public nonisolated static let resolveKitTimeoutSeconds: Int? = 20

          public nonisolated static let resolveKitRequiresApproval: Bool = false

          #sourceLocation(file: "test.swift", line: 12)

          public nonisolated struct Input: Codable, Sendable {
            #sourceLocation(file: "test.swift", line: 14)
            public let text: String
            #sourceLocation(file: "test.swift", line: 14)
            public let `in`: Set<Kind>?
            #sourceLocation(file: "test.swift", line: 14)
            public let limit: Int
          }

          #sourceLocation()

          #sourceLocation(file: "test.swift", line: 12)

          public nonisolated static let resolveKitParametersSchema: ResolveKitCore.JSONObject = ["type": .string("object"), "properties": .object(["text": .object(["type": .string("string"), "description": .string("What to look for, in words.")]), "in": ResolveKitCore.ResolveKitSchema.of(Set<Kind>.self, parameter: "in"), "limit": ResolveKitCore.ResolveKitSchema.of(Int.self, parameter: "limit", description: "How many", default: .number(10))]), "required": .array([.string("text")])]

          #sourceLocation()

          public nonisolated static func invoke(arguments: ResolveKitCore.JSONObject, context: ResolveKitCore.ResolveKitFunctionContext) async throws -> ResolveKitCore.JSONValue {
            try await invoke(exactly: ResolveKitCore.ResolveKitArguments(arguments), context: context)
          }

          public nonisolated static func invoke(exactly arguments: ResolveKitCore.ResolveKitArguments, context: ResolveKitCore.ResolveKitFunctionContext) async throws -> ResolveKitCore.JSONValue {
            try await Self().resolveKitPerform(arguments, context)
          }

          private func resolveKitPerform(_ resolveKitArguments: ResolveKitCore.ResolveKitArguments, _ resolveKitContext: ResolveKitCore.ResolveKitFunctionContext) async throws -> ResolveKitCore.JSONValue {
            #sourceLocation(file: "test.swift", line: 13)
            return try await ResolveKitCore.JSONValue(encoding: perform(resolveKitArguments.value("text", as: String.self), in: resolveKitArguments.value("in", as: Set<Kind>?.self, default: nil), limit: resolveKitArguments.value("limit", as: Int.self, default: 10), with: resolveKitContext))
            #sourceLocation()
          }
        }

        extension Find: AnyResolveKitFunction {
        }
        """#)
  }
}
