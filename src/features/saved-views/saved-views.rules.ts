/** The pages whose state stands in their address. */
export const savablePaths = [
  '/prices',
  '/dashboard',
  '/dashboard/stats',
  '/statistiques/inflation',
  '/statistiques/comparaison',
  '/statistiques/carte',
] as const

/** So many may be saved. */
export const mostViews = 50
