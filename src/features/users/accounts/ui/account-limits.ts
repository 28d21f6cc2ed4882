import type { AccountRow } from '#features/users/accounts/accounts.contract.ts'
import { beyond } from '#features/users/users.rules.ts'
import { closedDomain } from '#shared/fields.ts'
import type { SessionUser } from '#web/session.ts'

/** Reasons why an account cannot be changed, in the lists of users and of agents. */
export const accountLimits = {
  deletionEffect:
    'Ses nom, adresse, photo et messages sont effacés, du journal aussi. Les prix qu’il a relevés restent, anonymes.',
  isLocked: ({ email, permissions }: Pick<AccountRow, 'email' | 'permissions'>, own: SessionUser) =>
    email.endsWith(closedDomain) || beyond(own.permissions, permissions).length > 0,
  isKept: ({ id }: Pick<AccountRow, 'id'>, own: SessionUser) => id === own.id,
  usedBy: ({ email, _count: { payments } }: Pick<AccountRow, 'email' | '_count'>) =>
    payments > 0
      ? { count: payments, one: 'paiement', many: 'paiements', to: '/payments', search: { search: email } }
      : null,
}
