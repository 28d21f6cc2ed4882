import { expect, test } from 'vitest'
import { roles } from '#features/users/roles/roles.contract.ts'
import { adminRights } from '../../../../tests/support/accounts.ts'
import { testCrud } from '../../../../tests/support/crud.ts'
import { insertAccount, testServer } from '../../../../tests/support/server.ts'

const server = await testServer()

testCrud(server, roles, {
  rights: adminRights,
  valid: (name) => ({ name, description: 'Suit les prix' }),
  required: ['name'],
  invalid: [
    ['name', { name: 'é'.repeat(101) }],
    ['description', { description: 'x'.repeat(501) }],
    ['permissionIds', { permissionIds: [2_000_000_000] }],
    ['permissionIds.0', { permissionIds: ['x'] }],
  ],
  changes: (name) => ({ name, description: null, permissionIds: [5] }),
  use: async (role_id) => {
    const user_id = await insertAccount(server.db, { roles: [] })
    await server.db.insertInto('user_role').values({ user_id, role_id }).execute()
  },
  inUse: /: 1 utilisateur en dépend\.$/,
})

test('the list of roles has its page at the top level as well', async () => {
  const { body } = await (await server.as('admin')).get('/api/roles?search=super&limit=5')
  expect(body).toMatchObject({
    data: [{ name: 'super admin', permissions: expect.arrayContaining([{ id: 1, name: 'catalogue.read' }]) }],
    pagination: { page: 1, limit: 5, total: 1, pages: 1 },
    page: 1,
    limit: 5,
    total: 1,
    pages: 1,
  })
})
