import { createRootRoute, createRoute, createRouter, type RouteComponent } from '@tanstack/react-router'
import { LazyShell, Protected, Root } from '#main/guards.tsx'
import { siteMap } from '#main/site-map.ts'
import { PageError } from '#web/layouts/page-error.tsx'
import { lazyCode, PendingPage } from '#web/lazy-code.tsx'

/** Loads a page from its own chunk. */
function lazy<Module, Name extends keyof Module & string>(load: () => Promise<Module>, name: Name) {
  return lazyCode(load, name, 'page')
}

const prices = lazy(() => import('#features/prices/prices.page.tsx'), 'PricesPage')

/** The page of each address of the site map, each in its own chunk. */
const pages: Record<(typeof siteMap)[number]['path'], RouteComponent> = {
  '/dashboard': lazy(() => import('#main/dashboard.tsx'), 'Dashboard'),
  '/dashboard/stats': lazy(() => import('#features/report/stats.page.tsx'), 'StatsPage'),
  '/statistiques/inflation': lazy(() => import('#features/inflation/inflation.page.tsx'), 'InflationPage'),
  '/statistiques/comparaison': lazy(
    () => import('#features/comparison/comparison.page.tsx'),
    'ComparisonPage',
  ),
  '/statistiques/carte': lazy(() => import('#features/map/map.page.tsx'), 'PriceMapPage'),
  '/statistiques/ponderations': lazy(
    () => import('#features/inflation/weights/weights.admin.tsx'),
    'WeightsPage',
  ),
  '/statistiques/publications': lazy(
    () => import('#features/inflation/published/published.admin.tsx'),
    'PublishedPage',
  ),
  '/prices': prices,
  '/prices/add': prices,
  '/prices/review': lazy(() => import('#features/reviews/reviews.page.tsx'), 'ReviewsPage'),
  '/prices/review/log': lazy(() => import('#features/reviews/review-log.page.tsx'), 'ReviewLogPage'),
  '/prices/imports': lazy(() => import('#main/imports.tsx'), 'Imports'),
  '/prices/imports/$id': lazy(() => import('#main/imports.tsx'), 'ImportScreen'),
  '/series/$productId/$marketId': lazy(() => import('#features/series/series.page.tsx'), 'SeriesPage'),
  '/donnees': lazy(() => import('#features/editions/editions.page.tsx'), 'EditionsPage'),
  '/taux': lazy(() => import('#features/rates/rates.admin.tsx'), 'RatesPage'),
  '/trends': prices,
  '/products': lazy(() => import('#main/products.tsx'), 'Products'),
  '/products/detail/$id': lazy(() => import('#main/product.tsx'), 'ProductScreen'),
  '/products/edit/$id': lazy(() => import('#features/products/products.admin.tsx'), 'ProductEditPage'),
  '/categories': lazy(() => import('#features/categories/categories.admin.tsx'), 'CategoriesPage'),
  '/brands': lazy(() => import('#features/brands/brands.admin.tsx'), 'BrandsPage'),
  '/products/brands/$id': lazy(() => import('#main/brand.tsx'), 'BrandScreen'),
  '/markets': lazy(() => import('#features/markets/markets.admin.tsx'), 'MarketsPage'),
  '/markets/$id': lazy(() => import('#main/market.tsx'), 'MarketScreen'),
  '/rapports': lazy(() => import('#features/reports/reports.page.tsx'), 'ReportsPage'),
  '/partages': lazy(() => import('#features/shares/shares.page.tsx'), 'SharesPage'),
  '/alertes': lazy(() => import('#features/alerts/alerts.page.tsx'), 'AlertsPage'),
  '/profile': lazy(() => import('#features/account/profile.page.tsx'), 'ProfilePage'),
  '/settings': lazy(() => import('#features/account/settings.page.tsx'), 'SettingsPage'),
  '/developpeurs/cles': lazy(() => import('#features/keys/keys.page.tsx'), 'KeysPage'),
  '/developpeurs/webhooks': lazy(() => import('#features/webhooks/webhooks.page.tsx'), 'WebhooksPage'),
  '/systeme': lazy(() => import('#features/system/system.page.tsx'), 'SystemPage'),
  '/journal': lazy(() => import('#features/journal/journal.page.tsx'), 'JournalPage'),
  '/users': lazy(() => import('#features/users/users.admin.tsx'), 'UsersPage'),
  '/roles': lazy(() => import('#main/roles.tsx'), 'RolesScreen'),
  '/agents': lazy(() => import('#features/users/agents/agents.admin.tsx'), 'AgentsPage'),
  '/visites': lazy(() => import('#features/collection/work/work.page.tsx'), 'WorkPage'),
  '/mes-visites': lazy(() => import('#features/collection/work/work.page.tsx'), 'OwnWorkPage'),
  '/appareils': lazy(() => import('#features/collection/devices/devices.page.tsx'), 'DevicesPage'),
  '/messages': lazy(() => import('#features/contact/messages.admin.tsx'), 'MessagesPage'),
  '/plans': lazy(() => import('#features/plans/plans.admin.tsx'), 'PlansPage'),
  '/subscriptions': lazy(
    () => import('#features/subscriptions/subscriptions.admin.tsx'),
    'SubscriptionsPage',
  ),
  '/subscriptions/$id': lazy(
    () => import('#features/subscriptions/subscriptions.admin.tsx'),
    'SubscriptionPage',
  ),
  '/organisation': lazy(
    () => import('#features/subscriptions/seats/organisation.page.tsx'),
    'OrganisationPage',
  ),
  '/payments': lazy(() => import('#main/payments.tsx'), 'PaymentsScreen'),
  '/factures': lazy(() => import('#features/invoices/invoices.page.tsx'), 'InvoicesPage'),
  '/virements': lazy(() => import('#features/payments/transfers/transfers.page.tsx'), 'TransfersPage'),
  '/recettes': lazy(() => import('#features/revenue/revenue.page.tsx'), 'RevenuePage'),
}

const root = createRootRoute({ component: Root })
const guarded = createRoute({
  getParentRoute: () => root,
  id: 'protected',
  component: Protected,
  // Loads the layout in parallel with the session request, not after it.
  loader: () => void LazyShell.preload(),
})
const routes = siteMap.map((page) =>
  createRoute({
    getParentRoute: () => guarded,
    path: page.path,
    component: pages[page.path],
    staticData: page,
  }),
)
// Any other address: only a signed-in user gets the program.
const elsewhere = createRoute({
  getParentRoute: () => guarded,
  path: '$',
  component: lazy(() => import('#main/not-found.page.tsx'), 'NotFoundPage'),
  staticData: { title: 'Page non trouvée' },
})

/** The router of the browser program: every page behind its guard. */
export const router = createRouter({
  routeTree: root.addChildren([guarded.addChildren([...routes, elsewhere])]),
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultPendingComponent: PendingPage,
  defaultPendingMs: 200,
  defaultErrorComponent: PageError,
  // Search parameters stay text, as in the API, so that the same query schema validates both.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
    return given.length > 0
      ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
      : ''
  },
})
