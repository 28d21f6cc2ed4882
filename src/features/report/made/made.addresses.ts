/** Addresses of the endpoints of PDF reports made by a job. */
export const madeReportAddresses = {
  list: { method: 'GET', path: '/api/statistics/reports' },
  create: { method: 'POST', path: '/api/statistics/reports' },
  file: { method: 'GET', path: '/api/statistics/reports/{id}/file' },
} as const
