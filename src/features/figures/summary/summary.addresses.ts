export const summaryAddress = { method: 'GET', path: '/api/prices/analytics/summary' } as const
