/// The request of `POST …/workers`, checked.
package struct RegistrationRequest: Sendable {
  /// nil has the runtime choose one.
  package var id: WorkerID?
  package var workspaceRef: String?
  package var codexHomeRef: String?
  package var adapter: String?
  /// JSON text of an object.
  package var metadata: [UInt8]?

  package init(
    id: WorkerID? = nil, workspaceRef: String? = nil, codexHomeRef: String? = nil, adapter: String? = nil,
    metadata: [UInt8]? = nil
  ) {
    self.id = id
    self.workspaceRef = workspaceRef
    self.codexHomeRef = codexHomeRef
    self.adapter = adapter
    self.metadata = metadata
  }
}
