import { ShieldOff } from 'lucide-react'
import type { z } from 'zod'
import { AccountFields } from '#features/users/accounts/ui/account-fields.tsx'
import { accountLimits } from '#features/users/accounts/ui/account-limits.ts'
import { Contact, Person } from '#features/users/accounts/ui/person.tsx'
import { statusFilter, UserStatusBadge } from '#features/users/accounts/ui/user-status.tsx'
import { SecondFactorDialog } from '#features/users/credentials/ui/second-factor-dialog.tsx'
import { roleChoices, useRoleOptions } from '#features/users/roles/ui/choices.ts'
import { RoleBadge } from '#features/users/roles/ui/role-badge.tsx'
import { type User, users } from '#features/users/users.contract.ts'
import { adminScreens } from '#web/crud/admin-screens.tsx'
import type { Fields } from '#web/crud/screens.ts'
import { formatDate, formatDateTime } from '#web/format.ts'
import { CheckboxList } from '#web/forms/checkbox-list.tsx'
import { choiceFilter } from '#web/forms/choice-filter.tsx'

export const { ListPage: UsersPage } = adminScreens(users, {
  path: '/users',
  layout: 'table',
  title: 'Gestion des Utilisateurs',
  description: 'Les comptes de la plateforme, leurs rôles, et qui peut se connecter.',
  nameOf: ({ name }) => name,
  columns: [
    { key: 'name', header: 'Utilisateur', cell: (user) => <Person {...user} /> },
    { key: 'email', header: 'Contact', cell: (user) => <Contact {...user} /> },
    {
      key: 'roleId',
      cell: ({ user_roles: [first] }) => (first ? <RoleBadge role={first.role.name} /> : 'Aucun'),
    },
    { key: 'status', cell: ({ status }) => <UserStatusBadge status={status} /> },
    {
      key: 'created_at',
      card: 'hidden',
      cell: ({ created_at }) => formatDate(created_at),
    },
  ],
  filters: [{ key: 'roleId', ...choiceFilter(roleChoices, 'Tous les rôles') }, statusFilter],
  ...accountLimits,
  rowActions: [
    {
      label: 'Désactiver la vérification en deux étapes',
      icon: ShieldOff,
      right: 'users.manage',
      fits: (user, own) => user.hasSecondFactor && user.id !== own.id && !accountLimits.isLocked(user, own),
      dialog: SecondFactorDialog,
    },
  ],
  blank: { name: '', email: '', password: '', status: 'ACTIVE' as const, location: '', roleIds: [] },
  form: (form, user) => <UserFields form={form} user={user} />,
  details: (user) => [
    { label: 'Identifiant', value: String(user.id) },
    { key: 'email', value: user.email },
    { key: 'status', value: <UserStatusBadge status={user.status} /> },
    { label: 'Fournisseur de connexion', value: user.auth_provider },
    { label: 'E-mail vérifié', value: user.email_verified ? 'Oui' : 'Non' },
    { label: 'Vérification en deux étapes', value: user.hasSecondFactor ? 'Active' : 'Inactive' },
    { key: 'created_at', value: formatDateTime(user.created_at) },
    { key: 'updated_at', value: formatDateTime(user.updated_at) },
    {
      key: 'roles',
      value: user.user_roles.length > 0 ? <Roles of={user} /> : 'Aucun rôle assigné',
    },
  ],
})

function Roles({ of: { user_roles } }: { of: User }) {
  return (
    <span className="flex flex-wrap gap-1.5">
      {user_roles.map(({ role }) => (
        <RoleBadge key={role.id} role={role.name} />
      ))}
    </span>
  )
}

function UserFields({ form, user }: { form: Fields<z.input<typeof users.input>>; user: User | undefined }) {
  const options = useRoleOptions(user)
  return (
    <>
      <AccountFields field={form.field} account={user} />
      <CheckboxList control={form.control} name="roleIds" label={users.labels.roles} groups={[{ options }]} />
    </>
  )
}
