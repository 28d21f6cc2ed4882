import { savedViews } from '#features/saved-views/saved-views.contract.ts'
import type { savablePaths } from '#features/saved-views/saved-views.rules.ts'
import { NameView } from '#features/saved-views/ui/name-view.tsx'
import { useAttempt } from '#web/forms/attempt.ts'
import { useAction } from '#web/query.ts'

type SaveViewProps = { path: (typeof savablePaths)[number]; search: string; onClose: () => void }

/** The dialog that saves the current page under a name. */
export function SaveView({ path, search, onClose }: SaveViewProps) {
  const save = useAction(savedViews.create)
  const attempt = useAttempt()
  return (
    <NameView
      title="Enregistrer cette vue"
      hint="La page, ses filtres et sa période seront gardés sous ce nom."
      onSave={(name) => {
        const body = { name, path, search }
        return save.mutateAsync({ body, headers: attempt.headersFor(body) })
      }}
      onClose={onClose}
    />
  )
}
