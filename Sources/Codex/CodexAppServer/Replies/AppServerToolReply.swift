package import ResolveKitCore

/// What a tool of the client did.
package struct AppServerToolReply: AppServerReply {
  package var text: String
  package var isSuccess: Bool

  package init(_ text: String, isSuccess: Bool) {
    self.text = text
    self.isSuccess = isSuccess
  }

  package var result: JSONValue {
    ["contentItems": [["type": "inputText", "text": .string(text)]], "success": .bool(isSuccess)]
  }
}
