/** Every permission that the code checks; a role is a set of permissions, edited at run time. */
export const permissions = [
  'catalogue.read',
  'catalogue.write',
  'markets.read',
  'markets.write',
  'prices.read',
  'prices.write',
  'prices.collect',
  'prices.import',
  'collection.read',
  'collection.write',
  'rates.write',
  'statistics.read',
  'statistics.write',
  'subscriptions.read',
  'subscriptions.write',
  'plans.write',
  'payments.manage',
  'users.manage',
  'roles.manage',
  'journal.read',
  'superadmins.manage',
  'access.exempt',
] as const

export type Permission = (typeof permissions)[number]

/** Permissions to read paid data: reading also requires a trial or a subscription. */
export const paidReads: ReadonlySet<Permission> = new Set<Permission>([
  'catalogue.read',
  'markets.read',
  'prices.read',
  'statistics.read',
])

const onDevice: ReadonlySet<string> = new Set<Permission>([...paidReads, 'prices.collect', 'access.exempt'])

/**
 * Returns the permissions of a user in the session of a device: reading data and collecting. Who may write prices may
 * collect, but not change or delete prices from a device.
 */
export function permissionsOnDevice(permissions: readonly string[]): string[] {
  const held = new Set(permissions.filter((each) => onDevice.has(each)))
  if (permissions.includes('prices.write')) held.add('prices.collect')
  return [...held]
}

/** The scope, not a permission, that lets a key write its owner's own data (such as alerts) about data it may read. */
export const ownScope = 'own.write'

/** Scopes of API keys: read and write data, but not people, accounts or payments. */
export const scopeNames = [
  'prices.read',
  'statistics.read',
  'catalogue.read',
  'markets.read',
  'prices.write',
  'prices.collect',
  'prices.import',
  'catalogue.write',
  'markets.write',
  'rates.write',
  'statistics.write',
  ownScope,
] as const satisfies readonly (Permission | typeof ownScope)[]
export type Scope = (typeof scopeNames)[number]

export const scopes: ReadonlySet<string> = new Set<Scope>(scopeNames)

/** The read permissions that may be scopes of an API key. */
export type ReadingScope = Extract<Scope & Permission, `${string}.read`>
