/** Address of the list of a user's views. */
export const viewAddresses = { list: { method: 'GET', path: '/api/views' } } as const
