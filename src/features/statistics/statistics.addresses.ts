/** Addresses of the statistics, used by the contract and by pages that do not load the schemas. */
export const statisticsAddresses = {
  overview: { method: 'GET', path: '/api/statistics/overview' },
  markets: { method: 'GET', path: '/api/statistics/markets/activity' },
  trends: { method: 'GET', path: '/api/statistics/prices/trends' },
  categories: { method: 'GET', path: '/api/statistics/categories/distribution' },
  brands: { method: 'GET', path: '/api/statistics/brands/ranking' },
  subscriptions: { method: 'GET', path: '/api/statistics/subscriptions/growth' },
  report: { method: 'GET', path: '/api/statistics/export' },
  dashboard: { method: 'GET', path: '/api/statistics/dashboard' },
  dashboardChanges: { method: 'GET', path: '/api/statistics/dashboard/changes' },
  alerts: { method: 'GET', path: '/api/statistics/alerts' },
  map: { method: 'GET', path: '/api/statistics/map' },
} as const
