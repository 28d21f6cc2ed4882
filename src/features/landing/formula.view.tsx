import { Check, Minus } from 'lucide-react'
import { FoldedOnPhone, PublicSection } from '#features/landing/section.view.tsx'
import { ComingMark } from '#features/landing/services.view.tsx'
import { type PlanFeature, planFeatureNames, planFeatures } from '#features/plans/features.rules.ts'
import type { Plan } from '#features/plans/plans.contract.ts'
import { periodName, smsComprised } from '#features/plans/plans.rules.ts'
import { formatMoney, formatNumber } from '#web/format.ts'
import { buttonClass } from '#web/ui/button-class.ts'

type Column = {
  key: string
  name: string
  price: string
  period: string | null
  description: string
  isPaid: boolean
  smsPerMonth: number
  seats: number
  features: readonly PlanFeature[]
}

const basic: Column = {
  key: 'basic',
  name: 'Basique',
  price: 'Gratuit',
  period: null,
  description: 'Les prix publics, et toutes les données pendant 14 jours.',
  isPaid: false,
  smsPerMonth: 0,
  seats: 1,
  features: ['BASIC_DATA'],
}

const quantities = [
  {
    key: 'smsPerMonth',
    label: 'Alertes par SMS',
    description: 'Chaque mois\u202f; celles par e-mail et Telegram ne sont pas comptées',
  },
  { key: 'seats', label: 'Places', description: 'Personnes qui lisent les prix, l’abonné compris' },
] as const

/** Shows the free card, and up to ten plans with their features. Choosing one leads to the sign-in. */
export function Formula({ plans }: { plans: readonly Plan[] }) {
  const columns = [basic, ...plans.map(columnOf)]
  return (
    <PublicSection
      id="formule"
      tone="surface"
      title="Choisissez Votre Formule"
      lead="Sans engagement. Le paiement se fait par mobile money, après l’essai."
    >
      <ul className="grid gap-1.5 md:flex md:flex-wrap md:gap-4">
        {columns.map((column) => (
          <li
            key={column.key}
            className="grid min-w-0 grid-cols-[minmax(36%,1fr)_minmax(0,auto)_auto] items-center gap-x-2 rounded-md border border-line bg-paper py-0.5 pr-0.5 pl-3 md:flex md:grow md:basis-44 md:flex-col md:items-stretch md:p-5 has-[[aria-current]]:border-river has-[[aria-current]]:outline-2 has-[[aria-current]]:outline-river"
          >
            <h3 className="font-semibold wrap-anywhere max-md:text-sm md:text-base">{column.name}</h3>
            <p className="font-semibold tracking-tight max-md:text-right max-md:text-sm max-md:wrap-anywhere md:mt-2 md:text-lg">
              <span className="md:whitespace-nowrap">{column.price}</span>
              {column.period && (
                <span className="text-sm font-normal text-ink-soft">{` /\u00a0${column.period}`}</span>
              )}
            </p>
            <div className="mt-2 mb-5 text-ink-soft wrap-anywhere max-md:hidden">
              <p>{column.description}</p>
              {smsComprised(column) && <p>{`${smsComprised(column)}.`}</p>}
            </div>
            <a
              href="/auth/login"
              data-plan={column.key}
              className={buttonClass(
                column.isPaid ? 'primary' : 'secondary',
                'max-md:px-3 md:mt-auto md:w-full',
              )}
            >
              Choisir
              <span className="sr-only">{` ${column.name}`}</span>
            </a>
          </li>
        ))}
      </ul>
      <div className="md:mt-8">
        <FoldedOnPhone summary={<h3 className="font-semibold md:sr-only">Ce que chaque formule comprend</h3>}>
          <FeatureTable columns={columns} />
        </FoldedOnPhone>
      </div>
    </PublicSection>
  )
}

function FeatureTable({ columns }: { columns: readonly Column[] }) {
  return (
    <section
      className="overflow-x-auto"
      aria-label="Ce que chaque formule comprend"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame that may scroll must be reachable by keyboard.
      tabIndex={0}
    >
      <table className="w-full">
        <thead>
          <tr className="border-b border-line-strong">
            <th scope="col" className="py-3 text-left font-medium">
              Comprend
            </th>
            {columns.map(({ key, name }) => (
              <th
                key={key}
                scope="col"
                className="min-w-28 px-2 py-3 text-xs font-semibold wrap-anywhere lg:px-3 lg:text-sm"
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {planFeatureNames.map((name) => (
            <tr key={name} className="border-b border-line">
              <th scope="row" className="py-3 pr-4 text-left font-normal">
                <span className="font-medium">{planFeatures[name].label}</span>
                <span className="block text-xs text-ink-soft">{planFeatures[name].description}</span>
              </th>
              {columns.map((column) => (
                <td key={column.key} className="px-3 py-3 text-center">
                  <Given feature={name} column={column} />
                </td>
              ))}
            </tr>
          ))}
          {quantities.map(({ key: quantity, label, description }) => (
            <tr key={quantity} className="border-b border-line">
              <th scope="row" className="py-3 pr-4 text-left font-normal">
                <span className="font-medium">{label}</span>
                <span className="block text-xs text-ink-soft">{description}</span>
              </th>
              {columns.map((column) => (
                <td key={column.key} className="px-3 py-3 text-center">
                  {formatNumber(column[quantity])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function columnOf(plan: Plan): Column {
  return {
    key: String(plan.id),
    name: plan.name,
    price: plan.price === 0 ? 'Gratuit' : formatMoney(plan.price, plan.currency),
    period: plan.price === 0 ? null : periodName(plan),
    description: plan.description ?? '',
    isPaid: plan.price > 0,
    smsPerMonth: plan.smsPerMonth,
    seats: plan.seats,
    features: plan.features,
  }
}

function Given({ feature, column }: { feature: PlanFeature; column: Column }) {
  if (!column.features.includes(feature)) {
    return (
      <span className="inline-flex">
        <Minus className="size-4.5 text-ink-soft" aria-hidden />
        <span className="sr-only">Non compris</span>
      </span>
    )
  }
  if (planFeatures[feature].isComing) return <ComingMark />
  return (
    <span className="inline-flex">
      <Check className="size-4.5 text-green" aria-hidden />
      <span className="sr-only">Compris</span>
    </span>
  )
}
