import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  deleteMapping,
  listMappings,
  renameMapping,
  type SavedMapping,
} from '#features/mappings/mappings.contract.ts'
import { quoted } from '#web/crud/words.ts'
import { formatCount, formatRelativeTime } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { statementOf, useAction, useAnswer } from '#web/query.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/inputs.tsx'

/** Lists the saved mappings, with renaming and deletion. */
export function SavedMappings() {
  const answer = useAnswer(listMappings, {})
  const { data } = answer
  const [asked, setAsked] = useState<{ what: 'rename' | 'delete'; mapping: SavedMapping } | null>(null)
  const close = () => setAsked(null)
  if (answer.error && !data) {
    return <LoadFailure compact title="Erreur lors du chargement des correspondances" answer={answer} />
  }
  if (!data || (data.data.length === 0 && !asked)) return null
  return (
    <Card
      title="Correspondances"
      description="Les tableaux que nous savons lire. Un fichier qui a les mêmes titres est proposé de la même façon."
    >
      <ul className="divide-y divide-line">
        {data.data.map((mapping) => (
          <li key={mapping.id} className="flex items-center justify-between gap-3 py-1">
            <span className="min-w-0">
              <span className="block font-medium wrap-anywhere">{mapping.name}</span>
              <span className="block text-xs text-ink-soft">
                {`${formatCount(mapping.titles.length, 'colonne', 'colonnes')}, ${formatRelativeTime(mapping.updatedAt).toLowerCase()}`}
              </span>
            </span>
            <span className="flex shrink-0">
              <IconButton
                icon={Pencil}
                label={`Renommer ${quoted(mapping.name)}`}
                onClick={() => setAsked({ what: 'rename', mapping })}
              />
              <IconButton
                icon={Trash2}
                tone="danger"
                label={`Supprimer ${quoted(mapping.name)}`}
                onClick={() => setAsked({ what: 'delete', mapping })}
              />
            </span>
          </li>
        ))}
      </ul>
      {asked?.what === 'rename' && <RenameDialog mapping={asked.mapping} onClose={close} />}
      {asked?.what === 'delete' && <ForgetDialog mapping={asked.mapping} onClose={close} />}
    </Card>
  )
}

type Props = { mapping: SavedMapping; onClose: () => void }

function RenameDialog({ mapping, onClose }: Props) {
  const [name, setName] = useState(mapping.name)
  const rename = useAction(renameMapping, { onDone: onClose })
  return (
    <Dialog
      open
      size="sm"
      title="Renommer la correspondance"
      submitLabel="Renommer"
      busy={rename.isPending}
      dirty={name !== mapping.name}
      error={rename.error && statementOf(rename.error)}
      onSubmit={() =>
        rename.mutate({ params: { id: mapping.id }, body: { name, updatedAt: mapping.updatedAt } })
      }
      onClose={onClose}
    >
      <TextField
        label="Nom"
        required
        maxLength={100}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </Dialog>
  )
}

function ForgetDialog({ mapping, onClose }: Props) {
  const removal = useAction(deleteMapping, { onDone: onClose })
  return (
    <ConfirmDialog
      open
      title="Supprimer cette correspondance&#x202f;?"
      busy={removal.isPending}
      error={removal.error && statementOf(removal.error)}
      onConfirm={() => removal.mutate({ params: { id: mapping.id } })}
      onClose={onClose}
    >
      <p>{`Les fichiers qui ont les titres de ${quoted(mapping.name)} seront à décrire de nouveau. Les imports faits avec elle restent.`}</p>
    </ConfirmDialog>
  )
}
