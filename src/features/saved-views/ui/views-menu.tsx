import { useLocation, useNavigate } from '@tanstack/react-router'
import { Bookmark, BookmarkPlus, Settings2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { viewAddresses } from '#features/saved-views/saved-views.addresses.ts'
import type { SavedView, savedViews } from '#features/saved-views/saved-views.contract.ts'
import { mostViews, savablePaths } from '#features/saved-views/saved-views.rules.ts'
import { lazyCode } from '#web/lazy-code.tsx'
import { useAnswer } from '#web/query.ts'
import { buttonClass } from '#web/ui/button-class.ts'
import { Menu } from '#web/ui/menu.tsx'

// Loaded on demand: forms are larger than the menu that opens them.
const SaveView = lazyCode(() => import('#features/saved-views/ui/save-view.tsx'), 'SaveView', 'dialog')
const ManageViews = lazyCode(
  () => import('#features/saved-views/ui/manage-views.tsx'),
  'ManageViews',
  'dialog',
)

/** « Vues »: saves the current page under a name, and opens saved ones. */
export function ViewsMenu() {
  const [opened, setOpened] = useState<'save' | 'manage' | null>(null)
  const navigate = useNavigate()
  const here = useLocation({ select: ({ pathname, searchStr }) => ({ pathname, searchStr }) })
  const { data } = useAnswer<typeof savedViews.list>(viewAddresses.list, {})
  const views = data?.data ?? []
  const isFull = views.length >= mostViews
  const path = savablePaths.find((each) => each === here.pathname)
  const search = here.searchStr.replace(/^\?/, '')
  const open = (view: SavedView) =>
    void navigate({ to: view.path, search: Object.fromEntries(new URLSearchParams(view.search)) })
  return (
    <>
      <Menu
        label="Vues"
        buttonClassName={buttonClass()}
        button={
          <>
            <Bookmark className="size-4" aria-hidden />
            <span aria-hidden>Vues</span>
          </>
        }
        items={[
          {
            label: isFull ? `${mostViews} vues au plus\u00a0: supprimez-en une` : 'Enregistrer cette vue…',
            icon: BookmarkPlus,
            disabled: path === undefined || isFull,
            onSelect: () => setOpened('save'),
          },
          ...views.map((view, i) => ({
            label: view.name,
            checked: view.path === here.pathname && view.search === search,
            separated: i === 0,
            onSelect: () => open(view),
          })),
          ...(views.length > 0
            ? [
                {
                  label: 'Gérer les vues…',
                  icon: Settings2,
                  separated: true,
                  onSelect: () => setOpened('manage' as const),
                },
              ]
            : []),
        ]}
      />
      <Suspense>
        {opened === 'save' && path && (
          <SaveView path={path} search={search} onClose={() => setOpened(null)} />
        )}
        {opened === 'manage' && <ManageViews views={views} onClose={() => setOpened(null)} />}
      </Suspense>
    </>
  )
}
