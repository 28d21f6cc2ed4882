import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { RouterLink } from '#web/layouts/router-link.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Menu, type MenuItem } from '#web/ui/menu.tsx'

export type AccountMenuProps = {
  user: { name: string; email: string; role: ReactNode; avatarUrl?: string | null }
  items: readonly MenuItem[]
}

/** The signed-in user's name and role, and the menu of the account. */
export function AccountMenu({ user, items }: AccountMenuProps) {
  return (
    <Menu
      label="Compte de"
      buttonClassName="flex h-11 items-center gap-2 rounded-md px-2 hover:bg-sunken"
      button={
        <>
          <Avatar name={user.name} url={user.avatarUrl} />
          <span className="max-w-40 truncate font-medium max-lg:sr-only">{user.name}</span>
          <span className="max-md:sr-only">{user.role}</span>
          <ChevronDown className="size-4 text-ink-soft max-md:hidden" aria-hidden />
        </>
      }
      header={
        <>
          <p className="truncate font-semibold">{user.name}</p>
          <p className="truncate text-xs text-ink-soft">{user.email}</p>
          <div className="mt-2 md:hidden">{user.role}</div>
        </>
      }
      items={items}
      link={RouterLink}
    />
  )
}
