import { DashboardPage } from '#features/dashboard/dashboard.page.tsx'
import { useMenu } from '#main/menu.tsx'

/** The home page of the program, with links to every entry of the menu. */
export function Dashboard() {
  return <DashboardPage groups={useMenu()} />
}
