import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import type { NavGroup } from '#web/layouts/sidebar.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** For users who may not read statistics: links to every screen they may open. */
export function WaysOn({ groups }: { groups: readonly NavGroup[] }) {
  const others = groups
    .map((group) => ({ ...group, items: group.items.filter((item) => !item.isActive) }))
    .filter((group) => group.items.length > 0)
  return (
    <>
      {others.length === 0 && (
        <EmptyState title="Aucun écran ne vous est ouvert">
          Votre rôle ne donne accès à aucun écran. Demandez à un administrateur ce qu’il vous faut.
        </EmptyState>
      )}
      {others.map((group) => (
        <div key={group.label}>
          <h2 className="mb-3 text-base font-semibold">{group.label}</h2>
          <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
            {group.items.map(({ to, label, icon: Icon }) => (
              <li key={to}>
                <Link
                  to={to}
                  className="flex min-h-16 items-center gap-3 rounded-md border border-line bg-surface px-4 font-medium hover:bg-sunken"
                >
                  <Icon className="size-5 shrink-0 text-river" aria-hidden />
                  <span className="min-w-0 flex-1 truncate">{label}</span>
                  <ChevronRight className="size-4 shrink-0 text-ink-soft" aria-hidden />
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </>
  )
}
