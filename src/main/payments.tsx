import { lazyCode as lazy } from '#web/lazy-code.tsx'
import { useMay } from '#web/session.ts'

const Overview = lazy(() => import('#features/payments/payments.admin.tsx'), 'PaymentsOverview')
const Own = lazy(() => import('#features/payments/own-payments.page.tsx'), 'OwnPayments')

/** The payments of everybody for who manages them, one's own for the others. */
export function PaymentsScreen() {
  return useMay()('payments.manage') ? <Overview /> : <Own />
}
