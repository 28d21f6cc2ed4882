/** Dated versions of the API; a key keeps the version with which it was created. */
export const apiVersions = ['2026-11-26'] as const

export const latestVersion = apiVersions[apiVersions.length - 1]!
