/** Addresses of a user's own alerts. */
export const alertAddresses = {
  list: { method: 'GET', path: '/api/alerts' },
  create: { method: 'POST', path: '/api/alerts' },
  update: { method: 'PUT', path: '/api/alerts/{id}' },
  remove: { method: 'DELETE', path: '/api/alerts/{id}' },
  preview: { method: 'POST', path: '/api/alerts/preview' },
  events: { method: 'GET', path: '/api/alerts/events' },
  unread: { method: 'GET', path: '/api/alerts/unread' },
  read: { method: 'POST', path: '/api/alerts/events/read' },
} as const
