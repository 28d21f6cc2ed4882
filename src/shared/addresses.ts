// Where endpoints are, without their shapes: a page that needs no more than this loads no schema.

/** Of the state of the service. */
export const healthAddress = { method: 'GET', path: '/api/health' } as const

/** Of a resource: its list, one of it, and the list as a file. */
export function resourceAddresses<const Name extends string>(name: Name) {
  return {
    list: { method: 'GET', path: `/api/${name}` },
    find: { method: 'GET', path: `/api/${name}/{id}` },
    exportAll: { method: 'GET', path: `/api/${name}/export` },
  } as const
}
