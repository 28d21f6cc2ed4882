/** Maximum number of markets on a phone. */
export const mostRoundMarkets = 2000
