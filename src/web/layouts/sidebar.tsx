import { Link } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import { Logo } from '#web/ui/logo.view.tsx'

export type NavItem = { label: string; to: string; icon: LucideIcon; isActive?: boolean }
export type NavGroup = { label: string; items: readonly NavItem[] }

type SidebarProps = {
  groups: readonly NavGroup[]
  homeTo: string
  expanded: boolean
  onNavigate?: () => void
}

/** The groups of the menu. When collapsed, only icons are visible; names remain for screen readers and on hover. */
export function Sidebar({ groups, homeTo, expanded, onNavigate }: SidebarProps) {
  return (
    <nav aria-label="Menu principal" className="flex h-full flex-col">
      <Link
        to={homeTo}
        onClick={onNavigate}
        className={`flex h-14 shrink-0 items-center border-b border-line -outline-offset-2 ${expanded ? 'px-5' : 'justify-center'}`}
      >
        <Logo markOnly={!expanded} />
      </Link>
      <div className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto px-3 py-3">
        {groups.map((group) => (
          <section key={group.label} aria-label={group.label} className="not-first:mt-4">
            {expanded ? (
              <h2 className="px-2.5 pb-1 text-xs font-medium text-ink-soft">{group.label}</h2>
            ) : (
              <hr className="mx-2 mb-2 border-line in-first:hidden" />
            )}
            <ul className="space-y-0.5">
              {group.items.map((item) => (
                <li key={item.to}>
                  <NavLink item={item} expanded={expanded} onNavigate={onNavigate} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </nav>
  )
}

function NavLink({
  item,
  expanded,
  onNavigate,
}: {
  item: NavItem
  expanded: boolean
  onNavigate?: () => void
}) {
  const Icon = item.icon
  const look = item.isActive
    ? 'bg-river-soft font-medium text-river'
    : 'text-ink-soft hover:bg-sunken hover:text-ink'
  return (
    <Link
      to={item.to}
      onClick={onNavigate}
      activeOptions={{ exact: true }}
      aria-current={item.isActive ? 'page' : undefined}
      title={expanded ? undefined : item.label}
      className={`flex h-control items-center gap-3 rounded-md px-2.5 -outline-offset-2 ${look} ${expanded ? '' : 'justify-center'}`}
    >
      <Icon className="size-4.5 shrink-0" aria-hidden />
      <span className={expanded ? 'truncate' : 'sr-only'}>{item.label}</span>
    </Link>
  )
}
