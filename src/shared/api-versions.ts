/** Dated versions of the API; a key goes on with the one that it was made for. */
export const apiVersions = ['2026-11-26'] as const

export const latestVersion = apiVersions[apiVersions.length - 1]!
