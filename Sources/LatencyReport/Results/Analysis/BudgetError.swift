/// What is wrong with a budget, and how to write it.
package struct BudgetError: Error, Equatable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
