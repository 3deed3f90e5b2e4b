import Foundation
import Subprocess
import Testing

/// `ResolveKitCodegen` as the plugin and a person run it.
@Suite(.timeLimit(.minutes(10)))
struct ResolveKitCodegenTests {
  private let codegen = BuiltProgram(name: "ResolveKitCodegen")

  /// The lines between the declaration of `functions` and its end, and what was warned of.
  private func registry(of files: [String: String]) async throws -> (body: [String], error: String) {
    let workshop = try CodegenWorkshop(files)
    defer { workshop.remove() }
    let outcome = try await codegen.run([workshop.sources.path, workshop.registry.path])
    #expect(outcome.status == .exited(0), "\(outcome.error)")
    #expect(outcome.output.isEmpty)
    let text = try workshop.text()
    #expect(text.contains("public import ResolveKitCore\n\npublic nonisolated enum ResolveKitAutoRegistry {\n"))
    let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let start = try #require(lines.firstIndex { $0.hasPrefix("public static let functions") })
    return (Array(lines[start...].dropLast()), outcome.error)
  }

  private func marked(_ name: String, _ tool: String = "tool") -> String {
    """
    @ResolveKit(name: "\(tool)", description: "x")
    struct \(name): ResolveKitFunction { func perform() async throws -> Int { 1 } }

    """
  }

  private static let list = "public static let functions: [any AnyResolveKitFunction.Type] = ["

  @Test func findsMarkedStructuresByTheirFullNamesInOrder() async throws {
    let (body, error) = try await registry(of: [
      "b.swift": marked("Zulu", "z") + marked("Alpha", "a"),
      "deep/er/a.swift": """
      import ResolveKitAuthoring
      enum Outer { final class Middle { \(marked("Inner", "i")) } }
      extension Outer.Middle { \(marked("Second", "s")) }
      extension Elsewhere { \(marked("Third", "t")) }
      @available(*, deprecated)
      @ResolveKitAuthoring . `ResolveKit`(
        name: "m",
        description: "has ) and \\") in it, /* and a comment */", // ) another
        timeout: 3 /* ( */)
      @MainActor
      public struct Größe𝛼: ResolveKitFunction, Sendable { func perform() async throws {} }
      @ResolveKit(name: "e", description: \"\"\"
        many
        lines ) @ResolveKit struct NotThis {}
        \"\"\")
      struct `class`: ResolveKitFunction {}
      """,
      "notes.txt": marked("Text"),
      ".hidden/c.swift": marked("Hidden"),
      "dir.swift/real.swift": marked("Real", "r"),
    ])
    #expect(error.isEmpty)
    #expect(
      body == [
        Self.list, "Alpha.self,", "Elsewhere.Third.self,", "Größe𝛼.self,", "Outer.Middle.Inner.self,",
        "Outer.Middle.Second.self,", "Real.self,", "Zulu.self,", "`class`.self,", "]",
      ])
  }

  @Test func wordsThatOnlyLookLikeMarksAreNone() async throws {
    let (body, error) = try await registry(of: [
      "a.swift": """
      // @ResolveKit(name: "a", description: "b") struct A {}
      /* @ResolveKit(name: "a", description: "b") /* nested */ struct B {} */
      let text = "@ResolveKit(name: \\"a\\") struct C {}"
      let raw = #"@ResolveKit() struct D {} \\#(1)"#
      let regex = /@ResolveKit struct E/
      @ResolveKitty struct F {}
      @Other.ResolveKit struct G {}
      @ResolveKit(name: "h", description: "x") class H {}
      struct I: AnyResolveKitFunction {}
      struct J: ResolveKitFunction {}
      """
    ])
    #expect(body == [Self.list + "]"])
    #expect(error.isEmpty)
  }

  @Test func whatAnotherFileCannotNameIsReportedAndLeftOut() async throws {
    let (body, error) = try await registry(of: [
      "a.swift": """
      @ResolveKit(name: "tool", description: "x") private struct Wrong {}
      fileprivate struct Shell { \(marked("Hidden")) }
      struct Box<T> { \(marked("Generic")) }
      func make() { \(marked("Local")) }
      extension Open { \(marked("Fine", "fine")) }
      extension Closed { \(marked("Lost")) }
      extension Wide { \(marked("Wide")) }
      private extension Open { \(marked("Kept")) }
      """,
      "b.swift": "private struct Closed {}; private struct Open {}\nstruct Wide<each T> {}",
      "c.swift": "struct Open {}\nprivate struct Alone {}",
    ])
    #expect(body == [Self.list, "Closed.Lost.self,", "Open.Fine.self,", "]"])
    for name in ["Wrong", "Shell.Hidden", "Box.Generic", "Local", "Wide.Wide", "Open.Kept"] {
      #expect(error.contains("warning: '\(name)' is not registered"), "\(name)")
    }
    #expect(error.split(separator: "\n").count == 6)
    #expect(error.contains("/a.swift:1:"))
  }

  @Test func conditionsOfTheSourceAreKept() async throws {
    let (body, error) = try await registry(of: [
      "a.swift": """
      \(marked("Always", "a"))
      #if os(iOS) || DEBUG // why
      \(marked("Phone", "p"))
      #if compiler(>=6)
      \(marked("Both", "one"))
      #endif
      #elseif canImport(Foundation, _version: 1)
      \(marked("Both", "two"))
      #else
      struct Outer {
        #if A
        @available(iOS 17, macOS 14.1, *)
        \(marked("Inner", "i"))
        #endif
      }
      #endif
      #if B
      @ResolveKit(name: "c", description: "x")
      #endif
      struct Sometimes: ResolveKitFunction {}
      @available(tvOS, unavailable) @available(iOS, introduced: 16.0, deprecated: 18, message: "(")
      \(marked("NotOnTV", "n"))
      @available(*, unavailable) \(marked("Never", "never"))
      @available(macCatalyst, unavailable) @available(iOSApplicationExtension, unavailable)
      \(marked("Zulu", "z"))
      """
    ])
    #expect(error.isEmpty)
    #expect(
      body == [
        "public static let functions: [any AnyResolveKitFunction.Type] = {",
        "var functions: [any AnyResolveKitFunction.Type] = [", "Always.self,", "]",
        "#if os(iOS) || DEBUG", "#if compiler(>=6)",
        "if !functions.contains(where: { $0 == Both.self }) { functions.append(Both.self) }", "#endif", "#endif",
        "#if os(iOS) || DEBUG", "#elseif canImport(Foundation, _version: 1)",
        "if !functions.contains(where: { $0 == Both.self }) { functions.append(Both.self) }", "#endif",
        "#if !os(tvOS)", "if #available(iOS 16.0, *) {", "functions.append(NotOnTV.self)", "}", "#endif",
        "#if os(iOS) || DEBUG", "#elseif canImport(Foundation, _version: 1)", "#else", "#if A",
        "if #available(iOS 17, macOS 14.1, *) {", "functions.append(Outer.Inner.self)", "}", "#endif", "#endif",
        "#if os(iOS) || DEBUG", "functions.append(Phone.self)", "#endif",
        "#if B", "functions.append(Sometimes.self)", "#endif",
        "#if !targetEnvironment(macCatalyst)", "functions.append(Zulu.self)", "#endif", "return functions", "}()",
      ])
  }

  @Test func oneNameTwiceIsReportedBeforeAStartFails() async throws {
    let (body, error) = try await registry(of: [
      "a.swift": marked("First", "same") + marked("Other", "other"), "b b.swift": marked("Second", "same"),
      "c.swift": """
      #if os(Linux)
      \(marked("OnLinux", "exclusive"))
      \(marked("AlsoOnLinux", "exclusive"))
      \(marked("SometimesThird", "same"))
      #else
      \(marked("Elsewhere", "exclusive"))
      #endif
      """,
    ])
    #expect(body.starts(with: ["\(Self.list.dropLast()){", "var \(Self.list.dropFirst("public static let ".count))"]))
    #expect(
      error.split(separator: "\n").map { $0.split(separator: "/").last ?? "" } == [
        "b b.swift:2:8: warning: 'Second' has the name \"same\", as 'First' has; a runtime with both doesn't start",
        "a.swift:2:8: note: 'First' is here",
        "c.swift:6:8: warning: 'AlsoOnLinux' has the name \"exclusive\", as 'OnLinux' has; a runtime with both doesn't start",
        "c.swift:3:8: note: 'OnLinux' is here",
        "c.swift:9:8: warning: 'SometimesThird' has the name \"same\", as 'First' has; a runtime with both doesn't start",
        "a.swift:2:8: note: 'First' is here",
      ])
  }

  @Test func brokenSourcesAreTheCompilersBusiness() async throws {
    let good = marked("Good", "g")
    let broken = [
      "@ResolveKit(name: \"a\" struct A {", "@ResolveKit(", "@ResolveKit struct", "#if\n\(marked("InIf"))", "}}}}\n",
      "#else\n\(marked("InElse"))\n#if os(\n", "extension [ { \(marked("InArray")) }", "struct \"\u{0}", "\u{feff}",
      String(repeating: "{", count: 3_000), String(repeating: "enum E {", count: 3_000), "@available(iOS) " + good,
      "\"\"\"\n" + good, "/* " + good, String(repeating: "a.b().", count: 20_000) + "// ResolveKit",
    ]
    var files: [String: String] = ["0.swift": good]
    for (index, text) in broken.enumerated() { files["\(index + 1).swift"] = text }
    let (body, _) = try await registry(of: files)
    #expect(body.contains("Good.self,"))
    #expect(body.count { $0.hasPrefix("#if") } == body.count { $0 == "#endif" })
  }

  @Test func anyBytesAreRead() async throws {
    var random = SystemRandomNumberGenerator()
    let seed = random.next()
    var state = seed
    let workshop = try CodegenWorkshop(["good.swift": marked("Good", "g")])
    defer { workshop.remove() }
    for file in 0..<40 {
      // A linear congruential generator (Knuth, MMIX): the seed alone makes the bytes.
      let bytes = (0..<2_000).map { _ -> UInt8 in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
      }
      try workshop.write(Data("@ResolveKit".utf8) + Data(bytes), to: "\(file).swift")
    }
    let outcome = try await codegen.run([workshop.sources.path, workshop.registry.path])
    #expect(outcome.status == .exited(0), "seed \(seed): \(outcome.error)")
    #expect(try workshop.text().contains("Good.self"), "seed \(seed)")
  }

  @Test func anUnchangedRegistryIsNotTouched() async throws {
    let workshop = try CodegenWorkshop(["a.swift": marked("A")])
    defer { workshop.remove() }
    let arguments = [workshop.sources.path, workshop.registry.path]
    _ = try await codegen.run(arguments)
    let long = Date(timeIntervalSince1970: 1_000_000)
    try FileManager.default.setAttributes([.modificationDate: long], ofItemAtPath: workshop.registry.path)
    _ = try await codegen.run(arguments)
    func modified() throws -> Date? {
      try FileManager.default.attributesOfItem(atPath: workshop.registry.path)[.modificationDate] as? Date
    }
    #expect(try modified() == long)
    try workshop.write(Data(marked("B").utf8), to: "b.swift")
    _ = try await codegen.run(arguments)
    #expect(try modified() != long)
    #expect(try workshop.text().contains("B.self"))
    let made = try FileManager.default.contentsOfDirectory(atPath: workshop.registry.deletingLastPathComponent().path)
    #expect(made == ["ResolveKitAutoRegistry.swift"])
  }

  @Test func theOutputIsNoInput() async throws {
    let workshop = try CodegenWorkshop(["a.swift": marked("A")])
    defer { workshop.remove() }
    let inside = workshop.sources.appending(path: "Generated/ResolveKitAutoRegistry.swift").path
    for _ in 0..<2 {
      let outcome = try await codegen.run([workshop.sources.path, inside])
      #expect(outcome.status == .exited(0), "\(outcome.error)")
    }
    // Another registry among the sources would be a second declaration of the same name.
    let outcome = try await codegen.run([workshop.sources.path, workshop.registry.path])
    #expect(outcome.status == .exited(1))
    #expect(outcome.error.contains("declares ResolveKitAutoRegistry already"))
  }

  @Test func aListOfFilesIsReadAsItIs() async throws {
    let workshop = try CodegenWorkshop([
      "a.swift": marked("A"), "-b.swift": marked("B", "b"), "c.swift": marked("C", "c"),
    ])
    defer { workshop.remove() }
    let files = ["a.swift", "-b.swift"].map { workshop.sources.appending(path: $0).path }
    let outcome = try await codegen.run(["--output", workshop.registry.path, "--"] + files)
    #expect(outcome.status == .exited(0), "\(outcome.error)")
    let text = try workshop.text()
    #expect(text.contains("A.self,\n    B.self,\n") && !text.contains("C.self"))
    let none = try await codegen.run(["--output", workshop.registry.path])
    #expect(none.status == .exited(0))
    #expect(try workshop.text().contains("= []"))
  }

  @Test func manyAndLargeSourcesAreRead() async throws {
    let filler = (0..<4_000).map { "func f\($0)() -> [Int] { [\($0), 2].map { $0 + 1 } }\n" }.joined()
    let (body, _) = try await registry(of: [
      "large.swift": filler + marked("Last", "last"), "unmarked.swift": filler,
      "many.swift": (0..<2_000).map { marked("T\($0)", "t\($0)") }.joined(),
    ])
    #expect(body.count == 2_003)
    #expect(body.contains("Last.self,") && body.contains("T1999.self,"))
  }

  @Test func eachFailureHasASentenceAndAStatus() async throws {
    let workshop = try CodegenWorkshop([:])
    defer { workshop.remove() }
    let folder = workshop.sources.path
    let output = workshop.registry.path
    let cases: [([String], Int32, String)] = [
      ([], 2, "Usage:"), ([folder], 2, "one output file"), ([folder, output, "x"], 2, "one output file"),
      (["--nonsense", output], 2, "is not an option"), (["--output"], 2, "needs the name"),
      (["--output", output, "-x.swift"], 2, "is not an option"), (["", output], 2, "Give one"),
      ([folder + "/none", output], 1, "There is no folder"), (["/dev/null", output], 1, "is not a folder"),
      (["--output", output, folder + "/none.swift"], 1, "can't be read"),
      (["--output", output, folder], 1, "can't be read"), ([folder, folder], 1, "is a folder"),
      ([folder, "/dev/null/x/y.swift"], 1, "can't be written"),
    ]
    for (arguments, status, sentence) in cases {
      let outcome = try await codegen.run(arguments)
      #expect(outcome.status == .exited(status), "\(arguments): \(outcome.error)")
      #expect(outcome.error.contains(sentence), "\(arguments): \(outcome.error)")
    }
    #expect(!FileManager.default.fileExists(atPath: output))
    let help = try await codegen.run(["--help"])
    #expect(help.status == .exited(0) && help.output.contains("Usage:") && help.error.isEmpty)
    #expect(try await codegen.run([folder, output]).status == .exited(0))
    #expect(try workshop.text().contains("= []"))
  }
}
