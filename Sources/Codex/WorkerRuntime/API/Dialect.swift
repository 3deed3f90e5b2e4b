/// The form of a stream's failures.
package enum Dialect: String, Sendable, CaseIterable {
  /// By their status: 400, 410.
  case runtime
  /// The public layer's form of the contract's server: 200, and an event of the type `error`.
  case laravel
}
