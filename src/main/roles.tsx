import { useNavigate, useSearch } from '@tanstack/react-router'
import { PermissionsPage } from '#features/users/permissions/permissions.admin.tsx'
import { RolesPage } from '#features/users/roles/roles.admin.tsx'
import { Tabs } from '#web/ui/tabs.tsx'

const tabs = [
  { value: 'permissions', label: 'Permissions' },
  { value: 'roles', label: 'Rôles' },
] as const

/** /roles: the permissions, and the roles that grant them. */
export function RolesScreen() {
  const { tab }: { tab?: string } = useSearch({ strict: false })
  const navigate = useNavigate()
  const isRoles = tab === 'roles'
  return (
    <Tabs<(typeof tabs)[number]['value']>
      label="Rôles et permissions"
      tabs={tabs}
      value={isRoles ? 'roles' : 'permissions'}
      onChange={(next) => void navigate({ to: '.', search: next === 'roles' ? { tab: next } : {} })}
    >
      <div className="space-y-6">{isRoles ? <RolesPage /> : <PermissionsPage />}</div>
    </Tabs>
  )
}
