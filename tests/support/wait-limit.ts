/** How long (ms) any wait of a test lasts at most: much longer than the slowest machine needs. */
export const waitLimitMs = 180_000
