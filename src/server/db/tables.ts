// Placeholder until the first migration.

// biome-ignore lint/complexity/noBannedTypes: no table yet
export type Tables = {}
