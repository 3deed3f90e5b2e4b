package import GRDB

extension DatabaseMigrator {
  /// Applies the missing migrations. A database to which a later version of the program applied others stays as it is:
  /// `refusal`, given their names, is thrown.
  package func migrateForwards(_ database: any DatabaseWriter, refusal: (String) -> any Error) throws {
    let later = try database.read(appliedIdentifiers).subtracting(migrations)
    guard later.isEmpty else { throw refusal(later.sorted().joined(separator: "; ")) }
    try migrate(database)
  }
}
