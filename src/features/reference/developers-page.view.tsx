import type { ReactNode } from 'react'
import type { TextPageProps } from '#features/landing/prose.view.tsx'
import { PublicLayout } from '#web/layouts/public-layout.view.tsx'

/** The part of a reference subject that links need. */
export type SubjectLink = { name: string; title: string; isOpenToKeys: boolean }

export type DevelopersProps = TextPageProps & { subjects: readonly SubjectLink[] }

type PageProps = DevelopersProps & { path: string; title: string; lead: string; children: ReactNode }

/** The frame of the pages for developers: current page and links to the others. */
export function DevelopersPage({ site, isDemonstration, subjects, path, title, lead, children }: PageProps) {
  return (
    <PublicLayout site={site} isDemonstration={isDemonstration}>
      <div className="mx-auto grid max-w-6xl gap-x-10 px-4 py-8 md:px-8 md:py-12 lg:grid-cols-[14rem_minmax(0,1fr)]">
        <div className="max-lg:hidden">
          <nav
            aria-label="Développeurs"
            className="sticky top-20 max-h-[calc(100dvh-6rem)] overflow-y-auto pb-4"
          >
            <Links subjects={subjects} path={path} />
          </nav>
        </div>
        <article className="min-w-0 max-w-3xl text-base">
          <details className="mb-6 rounded-md border border-line bg-surface px-4 lg:hidden">
            <summary className="cursor-pointer py-3 font-medium">Toutes les pages</summary>
            <nav aria-label="Développeurs, toutes les pages" className="pb-4">
              <Links subjects={subjects} path={path} />
            </nav>
          </details>
          <h1 className="text-xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
          <p className="mt-3 text-ink-soft">{lead}</p>
          {children}
        </article>
      </div>
    </PublicLayout>
  )
}

function Links({ subjects, path }: Pick<PageProps, 'subjects' | 'path'>) {
  const address = ({ name, title }: SubjectLink) => ({ href: subjectPath(name), label: title })
  return (
    <>
      <LinkList
        path={path}
        links={[
          { href: '/developpeurs', label: 'Guide' },
          { href: '/developpeurs/recettes', label: 'Recettes' },
        ]}
      />
      <LinkTitle>Avec une clé, ou sans</LinkTitle>
      <LinkList path={path} links={subjects.filter(({ isOpenToKeys }) => isOpenToKeys).map(address)} />
      <LinkTitle>Dans une session seulement</LinkTitle>
      <LinkList path={path} links={subjects.filter(({ isOpenToKeys }) => !isOpenToKeys).map(address)} />
    </>
  )
}

export const subjectPath = (name: string) => `/developpeurs/reference/${name}`

function LinkTitle({ children }: { children: string }) {
  return <p className="mt-4 mb-1 text-xs font-semibold text-ink-soft">{children}</p>
}

function LinkList({ links, path }: { links: readonly { href: string; label: string }[]; path: string }) {
  return (
    <ul>
      {links.map(({ href, label }) => (
        <li key={href}>
          <a
            href={href}
            aria-current={href === path ? 'page' : undefined}
            className="block rounded-sm px-2 py-1.5 text-sm text-ink hover:bg-sunken aria-[current]:bg-sunken aria-[current]:font-medium"
          >
            {label}
          </a>
        </li>
      ))}
    </ul>
  )
}
