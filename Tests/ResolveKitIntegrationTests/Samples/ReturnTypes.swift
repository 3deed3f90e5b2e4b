import ResolveKitAuthoring

// One tool for each kind of result that the documentation lists.

@ResolveKit(name: "return_string", description: "Returns a string.", requiresApproval: false)
struct ReturnString: ResolveKitFunction {
  func perform() async throws -> String { "text" }
}

@ResolveKit(name: "return_bool", description: "Returns a boolean.", requiresApproval: false)
struct ReturnBool: ResolveKitFunction {
  func perform() async throws -> Bool { true }
}

@ResolveKit(name: "return_int", description: "Returns an integer.", requiresApproval: false)
struct ReturnInt: ResolveKitFunction {
  func perform() async throws -> Int { 42 }
}

struct MyStruct: Encodable {
  var city = "Vilnius"
  var degrees = 21.5
}

@ResolveKit(name: "return_struct", description: "Returns a structure.", requiresApproval: false)
struct ReturnStruct: ResolveKitFunction {
  func perform() async throws -> MyStruct { MyStruct() }
}

@ResolveKit(name: "return_strings", description: "Returns strings.", requiresApproval: false)
struct ReturnStrings: ResolveKitFunction {
  func perform() async throws -> [String] { ["a", "b"] }
}

@ResolveKit(name: "return_void", description: "Returns nothing.", requiresApproval: false)
struct ReturnVoid: ResolveKitFunction {
  func perform() async throws -> Void {}
}
