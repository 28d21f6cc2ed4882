import { isAdministering } from '#features/auth/auth.rules.ts'
import { sendVerificationLink, tellNewAddress, tellOwner } from '#features/auth/links.jobs.ts'
import { forgetPicture } from '#features/products/products.jobs.ts'
import type { AccountChange, NewAccount } from '#features/users/accounts/accounts.contract.ts'
import {
  findAccount,
  hashOfAvatar,
  heldRoles,
  insertAccount,
  updateAccount,
} from '#features/users/accounts/accounts.sql.ts'
import { deleteAccount } from '#features/users/closing/closing.jobs.ts'
import { isAccountClosed } from '#features/users/closing/closing.sql.ts'
import { keepSuperAdmin, refuseToGrantRoles, refuseToTouch } from '#features/users/guards.routes.ts'
import { findPermissionsOfRoles } from '#features/users/rights.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { AppError, invalidField } from '#server/errors.ts'
import type { Actor } from '#server/http/actor.ts'
import { forgetDevicesOf } from '#server/session/known-devices.sql.ts'
import { refuseWeakPassword } from '#server/session/password-policy.ts'
import { hashPassword } from '#server/session/passwords.ts'
import { revokeSessionsOf } from '#server/session/session.sql.ts'

/** Database constraints of an account, with the field and the message of each. */
export const accountConstraints = {
  app_user_email_key: { field: 'email', message: 'Un compte a déjà cette adresse e-mail.' },
  user_role_role_fkey: { field: 'roleIds', message: 'Ce rôle n’existe pas.' },
}

/**
 * Creates an account.
 * @throws AppError 403 for roles beyond the actor's permissions, 400 for a weak password
 */
export async function openAccount(
  tx: Db,
  { password, ...account }: NewAccount,
  roleIds: readonly number[],
  actor: Actor,
): Promise<number> {
  await refuseToGrantRoles(tx, actor, roleIds)
  refuseToBan(account.status, undefined)
  await refuseWeakPassword(password, [account.name, account.email])
  const id = await insertAccount(tx, { ...account, passwordHash: await hashPassword(password) })
  await heldRoles.set(tx, id, roleIds)
  await sendVerificationLink.add(tx, { email: account.email })
  return id
}

/**
 * Changes an account; ends its sessions at once when it may no longer sign in.
 * @throws AppError 403 for an account or roles beyond the actor's permissions, and for a change that would lock out the
 * actor; 409 for the last super administrator, and for a closed account
 */
export async function changeAccount(tx: Db, id: number, changes: AccountChange, actor: Actor): Promise<void> {
  const { password, roleIds, ...columns } = changes
  const held = await refuseToTouch(tx, actor, id)
  if (await isAccountClosed(tx, id)) throw new AppError('conflict', 'Ce compte est fermé.')
  const before = await findAccount(tx, id)
  if (id === actor.userId) refuseOfOneself(before?.email, changes)
  refuseToBan(columns.status, before?.status)
  if (password !== undefined) await refuseWeakPassword(password, [before?.name ?? '', before?.email ?? ''])
  const passwordHash = password === undefined ? undefined : await hashPassword(password)
  await updateAccount(tx, id, { ...columns, passwordHash })
  if (roleIds) await changeRoles(tx, id, before?.roleIds ?? [], roleIds, actor)
  if (passwordHash !== undefined || (columns.status && columns.status !== 'ACTIVE')) {
    await revokeSessionsOf(tx, id)
  }
  if (passwordHash !== undefined) {
    await forgetDevicesOf(tx, id)
    const entry = { action: 'password-changed', entity: 'users', entityId: id }
    await insertAudit(tx, { actor, requestId: null }, entry)
    await tellOwner.add(tx, { userId: id, news: 'password changed' })
  }
  const { email } = columns
  if (before && email !== undefined && email.toLowerCase() !== before.email.toLowerCase()) {
    await tellNewAddress(tx, before, email)
  } else if (before && before.status !== 'ACTIVE' && columns.status === 'ACTIVE') {
    // No link is mailed to an account that may not sign in.
    await sendVerificationLink.add(tx, { email: before.email })
  }
  await keepSuperAdmin(tx, held)
}

// Only an account that is already banned keeps this status, since a form sends back what it shows.
function refuseToBan(status: string | undefined, held: string | undefined): void {
  if (status === 'BANNED' && held !== 'BANNED') {
    throw invalidField('status', 'Le statut est ACTIVE, INACTIVE, SUSPENDED ou PENDING')
  }
}

/**
 * Deletes an account and all personal data, as if its owner had closed it.
 * @throws AppError 403 for the actor's own account, or one beyond their permissions; 409 for the last super
 * administrator
 */
export async function removeAccount(tx: Db, id: number, actor: Actor): Promise<void> {
  if (id === actor.userId) {
    throw new AppError(
      'forbidden',
      'Vous ne pouvez pas supprimer votre propre compte ici\u00a0: fermez-le dans vos paramètres.',
    )
  }
  const held = await refuseToTouch(tx, actor, id)
  const hash = hashOfAvatar(await findAccount(tx, id))
  await deleteAccount(tx, id)
  if (hash) await forgetPicture.add(tx, { hash })
  await keepSuperAdmin(tx, held)
}

async function changeRoles(
  tx: Db,
  id: number,
  before: readonly number[],
  after: readonly number[],
  actor: Actor,
) {
  const [given, taken] = [
    after.filter((role) => !before.includes(role)),
    before.filter((role) => !after.includes(role)),
  ]
  await refuseToGrantRoles(tx, actor, given)
  if (id === actor.userId && isAdministering(await findPermissionsOfRoles(tx, taken))) {
    throw new AppError(
      'forbidden',
      'Vous ne pouvez pas vous retirer un rôle qui administre\u00a0: un autre administrateur peut le faire.',
    )
  }
  await heldRoles.set(tx, id, after)
}

// Changes for which the settings page asks the password cannot be made here without it.
function refuseOfOneself(ownEmail: string | undefined, { password, email, status }: AccountChange): void {
  if (status && status !== 'ACTIVE') {
    throw new AppError('forbidden', 'Vous ne pouvez pas vous désactiver vous-même.')
  }
  if (password !== undefined || (email !== undefined && email.toLowerCase() !== ownEmail?.toLowerCase())) {
    throw new AppError('forbidden', 'Changez votre propre adresse et votre mot de passe dans vos paramètres.')
  }
}
