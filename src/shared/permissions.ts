/** Every permission that the code asks about; roles are sets of them, edited at run time. */
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

/** The data that subscribers pay for: reading them needs access as well as the permission. */
export const paidReads: ReadonlySet<Permission> = new Set<Permission>([
  'catalogue.read',
  'markets.read',
  'prices.read',
  'statistics.read',
])

/** The scope that is no permission: to write what is one's own, as alerts are, of data that may be read. */
export const ownScope = 'own.write'

/** What a key may be given: data to read and write, nothing of people, accounts or money. */
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

/** The permissions that a key may be given to read by. */
export type ReadingScope = Extract<Scope & Permission, `${string}.read`>
