import { expect, test } from 'vitest'
import { z } from 'zod'
import { searchText, text } from './fields.ts'
import { defineResource } from './resource.ts'

const row = z.object({ id: z.int(), name: z.string(), market: z.string(), created_at: z.string() })
const plan = {
  name: 'plans',
  listed: 'plans',
  noun: { one: 'Formule', many: 'formules', gender: 'f' },
  row,
  input: z.object({ name: text(20), password: text(20) }),
  filters: { search: searchText },
  sortable: ['name'],
  columns: [
    { key: 'name', title: 'Nom', value: (each: z.infer<typeof row>) => each.name },
    { key: 'market', title: 'Marché', value: (each: z.infer<typeof row>) => each.market },
  ],
} as const

test('a public list is exported as a file by its writers, and no user writes without a permission', () => {
  for (const read of ['public', 'session'] as const) {
    const plans = defineResource({ ...plan, permission: { read, write: 'plans.write' } })
    expect([plans.list.right, plans.find.right, plans.exportAll.right]).toEqual([read, read, 'plans.write'])
    expect([plans.create.right, plans.update.right, plans.remove.right]).toEqual(Array(3).fill('plans.write'))
  }
  const read = ['users.manage', 'roles.manage'] as const
  const own = defineResource({ ...plan, permission: { read, write: 'users.manage' } })
  expect(own.exportAll.right).toEqual(read)
})

test('the input of an update is that of a creation with each field optional, unless defined otherwise', () => {
  const permission = { read: 'users.manage', write: 'users.manage' } as const
  const same = defineResource({ ...plan, permission })
  expect(same.change.parse({})).toEqual({})
  expect(same.change.safeParse({ password: '' }).success).toBe(false)
  const change = z.object({ password: z.string().optional() })
  const other = defineResource({ ...plan, permission, change })
  expect(other.update.body.parse({ password: '', updated_at: '2026-01-01T00:00:00Z', name: 'x' })).toEqual({
    password: '',
    updated_at: '2026-01-01T00:00:00Z',
  })
})

test('a field has the title of its column in the file, and the id of another row that of the row', () => {
  const permission = { read: 'users.manage', write: 'users.manage' } as const
  const { labels } = defineResource({ ...plan, permission, labels: { password: 'Mot de passe' } })
  expect(labels).toMatchObject({
    name: 'Nom',
    market: 'Marché',
    marketId: 'Marché',
    password: 'Mot de passe',
    created_at: 'Créée le',
    updated_at: 'Modifiée le',
  })
})
