/** Addresses of the field tool, and of the management of its lists and devices. */
export const collectionAddresses = {
  batches: { method: 'POST', path: '/api/collection/batches' },
  photo: { method: 'PUT', path: '/api/collection/photos/{sha256}' },
  availability: { method: 'GET', path: '/api/collection/availability' },
  returns: { method: 'GET', path: '/api/collection/returns' },
  rounds: { method: 'GET', path: '/api/collection/rounds' },
  catalogue: { method: 'GET', path: '/api/collection/catalogue' },
  round: { method: 'GET', path: '/api/collection/rounds/{marketId}' },
  addDevice: { method: 'POST', path: '/api/collection/devices' },
  openSession: { method: 'POST', path: '/api/collection/session' },
} as const
