import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type SavedView, savedViews } from '#features/saved-views/saved-views.contract.ts'
import { NameView } from '#features/saved-views/ui/name-view.tsx'
import { statementOf, useAction } from '#web/query.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

type Asked = { action: 'rename' | 'remove'; view: SavedView } | null

/** Lists the views of a user, with renaming and deletion. */
export function ManageViews({ views, onClose }: { views: readonly SavedView[]; onClose: () => void }) {
  const [asked, setAsked] = useState<Asked>(null)
  const back = () => setAsked(null)
  if (asked?.action === 'rename') return <RenameView view={asked.view} onClose={back} />
  if (asked?.action === 'remove') return <RemoveView view={asked.view} onClose={back} />
  return (
    <Dialog
      open
      title="Vues enregistrées"
      onClose={onClose}
      footer={<Button onClick={onClose}>Fermer</Button>}
    >
      <ul className="divide-y divide-line">
        {views.map((view) => (
          <li key={view.id} className="flex items-center gap-2 py-1">
            <span className="min-w-0 flex-1 truncate">{view.name}</span>
            <IconButton
              label={`Renommer «\u202f${view.name}\u202f»`}
              icon={Pencil}
              onClick={() => setAsked({ action: 'rename', view })}
            />
            <IconButton
              label={`Supprimer «\u202f${view.name}\u202f»`}
              icon={Trash2}
              tone="danger"
              onClick={() => setAsked({ action: 'remove', view })}
            />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

type OneProps = { view: SavedView; onClose: () => void }

function RenameView({ view: { id, name }, onClose }: OneProps) {
  const rename = useAction(savedViews.rename)
  return (
    <NameView
      title="Renommer la vue"
      name={name}
      onSave={(next) => rename.mutateAsync({ params: { id }, body: { name: next } })}
      onClose={onClose}
    />
  )
}

function RemoveView({ view, onClose }: OneProps) {
  const remove = useAction(savedViews.remove, { onDone: onClose })
  return (
    <ConfirmDialog
      open
      title={`Supprimer la vue «\u202f${view.name}\u202f»\u202f?`}
      busy={remove.isPending}
      error={remove.error ? statementOf(remove.error) : null}
      onConfirm={() => remove.mutate({ params: { id: view.id } })}
      onClose={onClose}
    >
      La page et ses données restent&#8239;; seul ce raccourci disparaît.
    </ConfirmDialog>
  )
}
