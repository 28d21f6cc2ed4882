/** Where one's own views are listed. */
export const viewAddresses = { list: { method: 'GET', path: '/api/views' } } as const
