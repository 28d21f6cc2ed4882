import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazyCode as lazy } from '#web/lazy-code.tsx'
import { useMay } from '#web/session.ts'
import { Tabs } from '#web/ui/tabs.tsx'

const Overview = lazy(() => import('#features/payments/payments.admin.tsx'), 'PaymentsOverview')
const Own = lazy(() => import('#features/payments/own-payments.page.tsx'), 'OwnPayments')
const Reconciliation = lazy(
  () => import('#features/reconciliation/reconciliation.page.tsx'),
  'ReconciliationPage',
)

const tabs = [
  { value: 'payments', label: 'Paiements' },
  { value: 'reconciliation', label: 'Rapprochement' },
] as const

/** All payments for a user who manages payments; the user's own payments for the others. */
export function PaymentsScreen() {
  const { tab }: { tab?: string } = useSearch({ strict: false })
  const navigate = useNavigate()
  if (!useMay()('payments.manage')) return <Own />
  const isComparing = tab === 'reconciliation'
  return (
    <Tabs<(typeof tabs)[number]['value']>
      label="Paiements"
      tabs={tabs}
      value={isComparing ? 'reconciliation' : 'payments'}
      onChange={(next) => void navigate({ to: '.', search: next === 'reconciliation' ? { tab: next } : {} })}
    >
      <div className="space-y-4 sm:space-y-6">{isComparing ? <Reconciliation /> : <Overview />}</div>
    </Tabs>
  )
}
