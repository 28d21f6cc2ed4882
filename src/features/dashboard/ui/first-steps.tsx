import { Link } from '@tanstack/react-router'
import { ChevronRight, CircleCheck } from 'lucide-react'
import type { Overview } from '#features/statistics/statistics.contract.ts'
import type { Permission } from '#shared/permissions.ts'
import { useMay } from '#web/session.ts'

type Step = { to: string; hash?: string; label: string; right: Permission | Permission[]; isDone?: boolean }

/**
 * Shown on a new platform in place of the figures: why there are none, and the steps to the first price that the user
 * may do.
 */
export function FirstSteps({ products, markets }: Pick<Overview, 'products' | 'markets'>) {
  const may = useMay()
  const steps: Step[] = [
    {
      to: '/products',
      hash: 'create',
      label: 'Créer un produit',
      right: 'catalogue.write',
      isDone: products.total > 0,
    },
    {
      to: '/markets',
      hash: 'create',
      label: 'Créer un marché',
      right: 'markets.write',
      isDone: markets.total > 0,
    },
    { to: '/prices/add', label: 'Ajouter un prix', right: ['prices.write', 'prices.collect'] },
    { to: '/prices/imports', label: 'Ou importer des prix', right: 'prices.import' },
  ]
  const own = may(['catalogue.write', 'markets.write', 'prices.import'])
    ? steps.filter(({ right }) => may(right))
    : []
  return (
    <section aria-labelledby="first-steps" data-comes-first>
      <h2 id="first-steps" className="text-base font-semibold">
        {own.length > 0 ? 'Premiers pas' : 'Rien à montrer encore'}
      </h2>
      <p className="mt-0.5 max-w-prose text-ink-soft">
        {`Aucun prix n’a encore été relevé. ${own.length > 0 ? 'Un prix est relevé pour un produit, dans un marché. Un fichier de prix crée ce qui manque.' : 'Les premiers se liront ici.'}`}
      </p>
      <ol className="mt-3 flex flex-wrap gap-3">
        {own.map(({ to, hash, label, isDone }) => (
          <li key={to} className="min-w-0 grow basis-52">
            <Link
              to={to}
              hash={hash}
              className="flex min-h-11 items-center gap-2 rounded-md border border-line bg-river-soft px-4 py-2 font-medium hover:underline"
            >
              <span className="min-w-0 flex-1">{label}</span>
              {isDone ? (
                <>
                  <CircleCheck className="size-4 shrink-0 text-green" aria-hidden />
                  <span className="text-xs font-normal text-ink-soft">Fait</span>
                </>
              ) : (
                <ChevronRight className="size-4 shrink-0 text-ink-soft" aria-hidden />
              )}
            </Link>
          </li>
        ))}
      </ol>
    </section>
  )
}
