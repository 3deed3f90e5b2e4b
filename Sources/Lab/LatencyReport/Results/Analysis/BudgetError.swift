/// An error in a budget, with the form that it should have.
package struct BudgetError: Error, Equatable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
