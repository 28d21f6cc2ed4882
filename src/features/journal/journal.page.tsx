import { Eye } from 'lucide-react'
import { useState } from 'react'
import { type JournalEntry, journal } from '#features/journal/journal.contract.ts'
import {
  actionOptions,
  actionWords,
  changedValues,
  entityOptions,
  entityWords,
  entryName,
} from '#features/journal/journal.rules.ts'
import { ChainLine } from '#features/journal/ui/chain-line.tsx'
import { type DeclaredFilter, filterBarOf } from '#web/crud/filters.tsx'
import { useList } from '#web/crud/list.tsx'
import { ExportMenu } from '#web/export-menu.tsx'
import { formatDateTime, notAvailable } from '#web/format.ts'
import { selectFilter } from '#web/forms/choice-filter.tsx'
import { periodControls } from '#web/forms/day-filter.tsx'
import { FilterText } from '#web/forms/suggestions.tsx'
import { useListState } from '#web/list-state.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Facts } from '#web/ui/card.tsx'
import type { Column } from '#web/ui/columns.ts'
import { DateTime } from '#web/ui/date-time.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FilterBar } from '#web/ui/filter-bar.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Table } from '#web/ui/table.tsx'

const filters: readonly DeclaredFilter[] = [
  { key: 'search', label: 'Qui', control: FilterText },
  { key: 'action', label: 'Action', ...selectFilter(actionOptions, 'Toutes') },
  { key: 'entity', label: 'Objet', ...selectFilter(entityOptions, 'Tous') },
  ...periodControls,
]

/** /journal: the author, time, origin and changes of each entry. */
export function JournalPage() {
  const list = useListState(journal)
  const { query } = list
  const { answer, table, pager } = useList(list, {
    endpoint: journal.list,
    noun: journal.noun,
    ownOrder: { key: 'at', direction: 'desc' },
    nothing: { text: 'Ce que chacun fait y sera noté.' },
    noMatch: {
      text: 'Rien ne correspond à ces filtres. Essayez une période plus longue, ou moins de filtres.',
      reset: 'Effacer les filtres',
    },
  })
  const [opened, setOpened] = useState<JournalEntry | null>(null)
  return (
    <>
      <PageHeader
        title="Journal d’audit"
        description={'Qui a fait quoi, quand et d’où. Personne ne peut le modifier.'}
        actions={<ExportMenu endpoint={journal.exportAll} query={query} />}
      />
      <ChainLine />
      <FilterBar {...filterBarOf(filters, list)} onReset={list.reset} />
      <Table
        caption="Journal d’audit"
        columns={columns}
        rows={answer.data?.data ?? []}
        rowKey={({ id }) => id}
        {...table}
        actions={(entry) => (
          <IconButton icon={Eye} label={`Voir l’entrée ${entry.id}`} onClick={() => setOpened(entry)} />
        )}
      />
      {pager}
      {opened && <EntryDialog entry={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

const columns: readonly Column<JournalEntry>[] = [
  { key: 'at', header: 'Quand', sortable: true, cell: ({ at }) => <DateTime value={at} /> },
  { key: 'user', header: 'Qui', cell: (entry) => nameOf(entry) },
  { key: 'action', header: 'Action', cell: ({ action }) => actionWords(action) },
  { key: 'entity', header: 'Objet', cell: (entry) => <Subject entry={entry} /> },
  { key: 'address', header: 'D’où', card: 'hidden', cell: ({ address }) => address ?? notAvailable },
]

function nameOf({ user }: JournalEntry): string {
  if (!user) return 'La plateforme'
  return user.name ?? `Compte n°\u00a0${user.id}, supprimé`
}

/** The name of the entry's subject, with its kind and id below. */
function Subject({ entry }: { entry: JournalEntry }) {
  const name = entryName(entry)
  if (!name) return subjectOf(entry)
  return (
    <>
      <span className="block wrap-anywhere">{name}</span>
      <span className="block text-xs text-ink-soft">{subjectOf(entry)}</span>
    </>
  )
}

function subjectOf({ entity, entityId }: JournalEntry): string {
  return entityId === null ? entityWords(entity) : `${entityWords(entity)} n°\u00a0${entityId}`
}

function EntryDialog({ entry, onClose }: { entry: JournalEntry; onClose: () => void }) {
  const changes = changedValues(entry.before, entry.after)
  return (
    <Dialog
      open
      size="lg"
      title={`${actionWords(entry.action)}\u00a0: ${subjectOf(entry)}`}
      description={[entryName(entry), formatDateTime(entry.at)].filter(Boolean).join(', ')}
      onClose={onClose}
    >
      <Facts
        items={[
          { label: 'Qui', value: nameOf(entry) },
          { label: 'Adresse', value: entry.address ?? notAvailable },
          { label: 'Navigateur', value: entry.userAgent ?? notAvailable },
          { label: 'Requête', value: entry.requestId ?? notAvailable },
        ]}
      />
      {changes.length > 0 && (
        <table className="mt-4 w-full table-fixed text-left text-sm">
          <caption className="sr-only">Avant et après</caption>
          <thead>
            <tr className="text-ink-soft">
              <th className="py-2 pr-3 font-medium">Champ</th>
              <th className="py-2 pr-3 font-medium">Avant</th>
              <th className="py-2 font-medium">Après</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ field, before, after }) => (
              <tr key={field} className="border-t border-line align-top wrap-anywhere">
                <th scope="row" className="py-2 pr-3 font-normal text-ink-soft">
                  {field}
                </th>
                <td className="py-2 pr-3">{before ?? '–'}</td>
                <td className="py-2">{after ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Dialog>
  )
}
