import { lazyRouteComponent as lazy, Outlet, useMatches } from '@tanstack/react-router'
import { CircleUserRound, IdCard, LockKeyhole, LogOut, Settings } from 'lucide-react'
import { Suspense } from 'react'
import { useDemonstration } from '#main/is-demonstration.tsx'
import { useMenu } from '#main/menu.tsx'
import { AdminLayout } from '#web/layouts/admin-layout.tsx'
import { SignInAgain } from '#web/layouts/sign-in-again.tsx'
import { signOut, useUser } from '#web/session.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

// Comes after the page that it may have to stand before.
const SubscriptionGate = lazy(() => import('#features/payments/gate/ui/gate.tsx'), 'SubscriptionGate')

const EndNotice = lazy(() => import('#features/subscriptions/ui/end-notice.tsx'), 'EndNotice')

/** The administration around its pages. */
export function Shell() {
  return (
    <>
      <Frame />
      <Suspense>
        <SubscriptionGate />
      </Suspense>
      <SignInAgain />
    </>
  )
}

function Frame() {
  const user = useUser()
  const groups = useMenu()
  const isDemonstration = useDemonstration()
  const page = useMatches({ select: (matches) => matches.at(-1)?.staticData })
  return (
    <AdminLayout
      groups={groups}
      user={{ ...user, role: user.roles[0] ?? 'user', avatarUrl: user.avatar_url }}
      accountItems={[
        { label: 'Mon compte', icon: CircleUserRound, href: '/profile' },
        { label: 'Paramètres', icon: Settings, href: '/settings' },
        { label: 'Profil', icon: IdCard, href: '/profile' },
        { label: 'Se déconnecter', icon: LogOut, onSelect: () => void signOut() },
      ]}
      banner={isDemonstration && 'Données de démonstration'}
    >
      {page?.permission && !user.permissions.includes(page.permission) ? (
        <Forbidden title={page.title ?? ''} />
      ) : (
        <>
          <Suspense>
            <EndNotice />
          </Suspense>
          <Outlet />
        </>
      )}
    </AdminLayout>
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
