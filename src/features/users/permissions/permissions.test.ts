import { expect, test } from 'vitest'
import { permissionRows } from '#features/users/permissions/permissions.contract.ts'
import { permissions } from '#shared/permissions.ts'
import { adminRights } from '../../../../tests/support/accounts.ts'
import { testCrud } from '../../../../tests/support/crud.ts'
import { testServer } from '../../../../tests/support/server.ts'

const server = await testServer()

testCrud(server, permissionRows, {
  rights: adminRights,
  valid: (name) => ({ name, description: 'Ce qu’elle permet' }),
  required: ['name'],
  invalid: [
    ['name', { name: 'é'.repeat(101) }],
    ['description', { description: 'x'.repeat(501) }],
  ],
  changes: (name) => ({ name, description: null }),
  use: (permission_id) =>
    server.db.insertInto('role_permission').values({ role_id: 1, permission_id }).execute(),
  inUse: /: 1 rôle en dépend\.$/,
})

test('every permission that the code checks exists, and counts its roles', async () => {
  const { body } = await (await server.as('admin')).get('/api/permissions?limit=200')
  const rows = permissionRows.list.response.parse(body).permissions
  expect(rows.filter(({ isSeeded }) => isSeeded).map(({ name }) => name)).toEqual(
    expect.arrayContaining([...permissions]),
  )
  expect(rows.find(({ name }) => name === 'superadmins.manage')).toMatchObject({
    _count: { role_permissions: 1 },
  })
})
