extension Migration {
  /// Who gave access by hand and who took it back, each with the reason.
  static let grants = Migration(
    "grants",
    [
      "ALTER TABLE manual_grants ADD COLUMN granted_by TEXT",
      "ALTER TABLE manual_grants ADD COLUMN reason TEXT",
      "ALTER TABLE manual_grants ADD COLUMN revoked_by TEXT",
      "ALTER TABLE manual_grants ADD COLUMN revocation_reason TEXT",
    ])
}
