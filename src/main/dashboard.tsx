import { DashboardPage } from '#features/dashboard/dashboard.page.tsx'
import { useMenu } from '#main/menu.tsx'

/** The first page, which leads to what the menu holds. */
export function Dashboard() {
  return <DashboardPage groups={useMenu()} />
}
