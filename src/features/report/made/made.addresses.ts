/** Where reports that a job draws are asked for and found. */
export const madeReportAddresses = {
  list: { method: 'GET', path: '/api/statistics/reports' },
  create: { method: 'POST', path: '/api/statistics/reports' },
  file: { method: 'GET', path: '/api/statistics/reports/{id}/file' },
} as const
