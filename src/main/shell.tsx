import { lazyRouteComponent as lazy, Outlet, useMatches } from '@tanstack/react-router'
import { CircleUserRound, IdCard, LockKeyhole, LogOut, Settings } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { useDemonstration } from '#main/is-demonstration.tsx'
import { useMenu } from '#main/menu.tsx'
import { AdminLayout } from '#web/layouts/admin-layout.tsx'
import { SignInAgain } from '#web/layouts/sign-in-again.tsx'
import { signOut, useUser } from '#web/session.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

const SecondFactorPage = lazy(() => import('#features/account/second-factor.page.tsx'), 'SecondFactorPage')

// Comes after the page that it may have to stand before.
const SubscriptionGate = lazy(() => import('#features/payments/gate/ui/gate.tsx'), 'SubscriptionGate')

const EndNotice = lazy(() => import('#features/subscriptions/ui/end-notice.tsx'), 'EndNotice')

/** The administration around its pages. */
export function Shell() {
  if (useUser().needsSecondFactor) {
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
      <Frame>
        <Page />
      </Frame>
      <Suspense>
        <SubscriptionGate />
      </Suspense>
      <SignInAgain />
    </>
  )
}

function Frame({ isBare = false, children }: { isBare?: boolean; children: ReactNode }) {
  const user = useUser()
  const groups = useMenu()
  const isDemonstration = useDemonstration()
  return (
    <AdminLayout
      groups={isBare ? [] : groups}
      user={{ ...user, role: user.roles[0] ?? 'user', avatarUrl: user.avatar_url }}
      accountItems={[
        { label: 'Mon compte', icon: CircleUserRound, href: '/profile' },
        { label: 'Paramètres', icon: Settings, href: '/settings' },
        { label: 'Profil', icon: IdCard, href: '/profile' },
        { label: 'Se déconnecter', icon: LogOut, onSelect: () => void signOut() },
      ]}
      banner={isDemonstration && 'Données de démonstration'}
    >
      {children}
    </AdminLayout>
  )
}

function Page() {
  const { permissions } = useUser()
  const page = useMatches({ select: (matches) => matches.at(-1)?.staticData })
  if (page?.permission && !permissions.includes(page.permission))
    return <Forbidden title={page.title ?? ''} />
  return (
    <>
      <Suspense>
        <EndNotice />
      </Suspense>
      <Outlet />
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
