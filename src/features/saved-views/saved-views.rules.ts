/** The pages whose state is in their address. */
export const savablePaths = [
  '/prices',
  '/dashboard',
  '/dashboard/stats',
  '/statistiques/inflation',
  '/statistiques/comparaison',
  '/statistiques/carte',
] as const

/** Most views per user. */
export const mostViews = 50
