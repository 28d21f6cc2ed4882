/** Addresses of a user's own reports and their issues. */
export const reportAddresses = {
  list: { method: 'GET', path: '/api/reports' },
  find: { method: 'GET', path: '/api/reports/{id}' },
  create: { method: 'POST', path: '/api/reports' },
  update: { method: 'PUT', path: '/api/reports/{id}' },
  remove: { method: 'DELETE', path: '/api/reports/{id}' },
  preview: { method: 'POST', path: '/api/reports/preview' },
  issues: { method: 'GET', path: '/api/reports/{id}/issues' },
  makeIssue: { method: 'POST', path: '/api/reports/{id}/issues' },
  file: { method: 'GET', path: '/api/reports/issues/{token}/file' },
} as const
