// Methods and paths of endpoints without their schemas, so that a page that needs only these does not load zod.

/** The endpoint of the service status. */
export const healthAddress = { method: 'GET', path: '/api/health' } as const

/** Returns the addresses of a resource: its list, one row, and the list as a file. */
export function resourceAddresses<const Name extends string>(name: Name) {
  return {
    list: { method: 'GET', path: `/api/${name}` },
    find: { method: 'GET', path: `/api/${name}/{id}` },
    exportAll: { method: 'GET', path: `/api/${name}/export` },
  } as const
}
