/** Timeout (ms) of any wait of a test: much longer than the slowest machine needs. */
export const waitLimitMs = 180_000
