import { useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useMatches, useRouter } from '@tanstack/react-router'
import { CircleUserRound, IdCard, LockKeyhole, LogOut, Settings } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { RoleBadge } from '#features/users/roles/ui/role-badge.tsx'
import { createDialogs } from '#main/create-dialogs.tsx'
import { useDemonstration } from '#main/is-demonstration.tsx'
import { useBarItems, useMenu, useReachable } from '#main/menu.tsx'
import { CreateDialogsContext } from '#web/forms/first-step.tsx'
import { AdminLayout } from '#web/layouts/admin-layout.tsx'
import { SignInAgain } from '#web/layouts/sign-in-again.tsx'
import { lazyCode, preloadParts } from '#web/lazy-code.tsx'
import { PaidPage } from '#web/load-failure.tsx'
import { signOut, useUser } from '#web/session.ts'
import { useShortcuts } from '#web/shortcuts.ts'
import { buttonClass } from '#web/ui/button-class.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { savesData } from '#web/ui/page-visibility.ts'

const SecondFactorPage = lazyCode(
  () => import('#features/account/second-factor.page.tsx'),
  'SecondFactorPage',
  'page',
)

// Loaded after the page, which it may have to cover.
const SubscriptionGate = lazyCode(() => import('#features/gate/ui/gate.tsx'), 'SubscriptionGate', 'nothing')

const GoTo = lazyCode(() => import('#main/go-to.tsx'), 'GoTo', 'dialog')
const ShortcutList = lazyCode(() => import('#main/go-to.tsx'), 'ShortcutList', 'dialog')
const ConfirmNotice = lazyCode(
  () => import('#features/subscriptions/ui/end-notice.tsx'),
  'ConfirmNotice',
  'nothing',
)
const EndNotice = lazyCode(() => import('#features/subscriptions/ui/end-notice.tsx'), 'EndNotice', 'nothing')

const AlertBell = lazyCode(() => import('#features/alerts/ui/alert-bell.tsx'), 'AlertBell', 'nothing')

const plansLink = (
  <Link to="/subscriptions" hash="plans" className={buttonClass('primary')}>
    Choisir un plan
  </Link>
)

/** The layout of the administration pages. */
export function Shell() {
  const { needsSecondFactor } = useUser()
  const isSubscriber = useSubscriber()
  if (needsSecondFactor) {
    return (
      <Frame isBare>
        <Suspense>
          <SecondFactorPage />
        </Suspense>
      </Frame>
    )
  }
  return (
    <>
      <CreateDialogsContext value={createDialogs}>
        <Frame>
          <Page />
        </Frame>
      </CreateDialogsContext>
      {isSubscriber && (
        <Suspense>
          <SubscriptionGate />
        </Suspense>
      )}
      <SignInAgain />
    </>
  )
}

/** Whether the user reads through a trial or a plan; only such users receive code and data about subscriptions. */
function useSubscriber(): boolean {
  return !useUser().permissions.includes('access.exempt')
}

/** Delay in ms before preloading, so that the requested page has all the bandwidth of a slow connection. */
const idleMs = 4_000
/** Pause in ms between two files, so that the user's own actions have priority. */
const filePauseMs = 100

/** When idle, loads the code of the pages that the user can reach, so that they open offline. */
function useIdlePreload(paths: ReturnType<typeof useReachable>): void {
  const router = useRouter()
  const client = useQueryClient()
  const preload = useEffectEvent(async (isWanted: () => Promise<boolean>) => {
    // First, the parts that the current page may open, such as the agent's dialog to add a price.
    await preloadParts(isWanted)
    // For a page with an id only the code is loaded, so any id will do.
    for (const to of paths) if (await isWanted()) await router.preloadRoute({ to, params: { id: '0' } })
    await preloadParts(isWanted)
  })
  useEffect(() => {
    if (savesData()) return
    let isHere = true
    const isWanted = async () => {
      do {
        if (!navigator.onLine) await backOnline()
        await waitUntilIdle()
      } while (isHere && (client.isFetching() > 0 || !navigator.onLine))
      return isHere
    }
    const timer = setTimeout(() => void preload(isWanted), idleMs)
    return () => {
      isHere = false
      clearTimeout(timer)
    }
  }, [client])
}

function backOnline(): Promise<void> {
  return new Promise((resolve) => addEventListener('online', () => resolve(), { once: true }))
}

/** Waits until the browser is idle, or only `filePauseMs` when the browser does not report idle time. */
function waitUntilIdle(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(
      () => ('requestIdleCallback' in window ? requestIdleCallback(() => resolve()) : resolve()),
      filePauseMs,
    )
  })
}

const settingsItem = { label: 'Paramètres', icon: Settings, href: '/settings' }
const signOutItem = { label: 'Se déconnecter', icon: LogOut, onSelect: () => void signOut() }
const barMenu = [
  { label: 'Mon Compte', icon: CircleUserRound, href: '/profile' },
  settingsItem,
  { ...signOutItem, separated: true },
]

function Frame({ isBare = false, children }: { isBare?: boolean; children: ReactNode }) {
  const user = useUser()
  const menu = useMenu()
  const groups = isBare ? [] : menu
  const barItems = useBarItems()
  const reachable = useReachable()
  useIdlePreload(isBare ? [] : reachable)
  const [opened, setOpened] = useState<'goTo' | 'shortcuts' | null>(null)
  const close = () => setOpened(null)
  useShortcuts({ goTo: () => !isBare && setOpened('goTo'), list: () => setOpened('shortcuts') })
  const isDemonstration = useDemonstration()
  return (
    <AdminLayout
      groups={groups}
      user={{ ...user, role: <RoleBadge role={user.roles[0] ?? 'user'} />, avatarUrl: user.avatar_url }}
      accountItems={[
        { label: 'Mon compte', icon: CircleUserRound, href: '/profile' },
        settingsItem,
        { label: 'Profil', icon: IdCard, href: '/profile' },
        signOutItem,
      ]}
      bar={isBare ? undefined : { items: barItems, menuItems: barMenu }}
      banner={isDemonstration && 'Données de démonstration'}
      onGoTo={isBare ? undefined : () => setOpened('goTo')}
      headerItems={
        !isBare &&
        user.permissions.includes('prices.read') && (
          <Suspense fallback={<span className="size-control shrink-0" />}>
            <AlertBell />
          </Suspense>
        )
      }
    >
      {children}
      <Suspense>
        {opened === 'goTo' && <GoTo onClose={close} />}
        {opened === 'shortcuts' && <ShortcutList onClose={close} />}
      </Suspense>
    </AdminLayout>
  )
}

function Page() {
  const { permissions } = useUser()
  const isSubscriber = useSubscriber()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const page = useMatches({ select: (matches) => matches.at(-1)?.staticData })
  if (page?.permission && !permissions.includes(page.permission))
    return <Forbidden title={page.title ?? ''} />
  return (
    <>
      {isSubscriber && (
        <Suspense>
          <ConfirmNotice />
          <EndNotice />
        </Suspense>
      )}
      <PaidPage path={path} title={page?.title ?? ''} wayOut={plansLink}>
        <Outlet />
      </PaidPage>
    </>
  )
}

function Forbidden({ title }: { title: string }) {
  return (
    <>
      <PageHeader title={title} />
      <EmptyState title="Accès refusé" icon={LockKeyhole}>
        Votre rôle ne donne pas accès à cette page. Demandez à un administrateur si vous en avez besoin.
      </EmptyState>
    </>
  )
}
