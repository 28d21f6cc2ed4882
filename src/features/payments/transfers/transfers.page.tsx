import { FileDown, Landmark, ListX, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type Transfer, transferNoun, transfers } from '#features/payments/transfers/transfers.contract.ts'
import { ReceiptsDialog } from '#features/payments/transfers/ui/receipts-dialog.tsx'
import { RecordDialog } from '#features/payments/transfers/ui/record-dialog.tsx'
import { RemoveDialog } from '#features/payments/transfers/ui/remove-dialog.tsx'
import { messageOf } from '#web/api.ts'
import { useList } from '#web/crud/list.tsx'
import { download } from '#web/download.ts'
import { formatMoney } from '#web/format.ts'
import { useListState } from '#web/list-state.ts'
import { useMay } from '#web/session.ts'
import { IconButton } from '#web/ui/button.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { Table } from '#web/ui/table.tsx'
import { toast } from '#web/ui/toast.ts'

const listed = { name: 'transfers', query: transfers.list.query }

/** Bank transfers to be made and what was received: the user's own, or all for users who manage payments. */
export function TransfersPage() {
  const manages = useMay()('payments.manage')
  const [recorded, setRecorded] = useState<Transfer | null>(null)
  const [removed, setRemoved] = useState<Transfer | null>(null)
  const [looked, setLooked] = useState<Transfer | null>(null)
  const list = useListState(listed)
  const { answer, table, pager } = useList(list, {
    endpoint: transfers.list,
    noun: transferNoun,
    nothing: {
      text: 'Un plan se paie aussi par virement\u00a0: choisissez-le, puis «\u202fPayer par virement\u202f».',
    },
    pager: 'plain',
  })
  return (
    <>
      <PageHeader
        title="Virements"
        description={'L’accès s’ouvre quand la somme entière est reçue\u202f; le surplus reste un crédit.'}
      />
      {manages && (
        <search className="flex flex-wrap gap-3 *:w-full sm:*:w-72">
          <SearchField
            label="Rechercher un virement"
            placeholder="Référence, client, plan"
            value={list.query.search ?? ''}
            onChange={(search) => list.set({ search: search || undefined })}
          />
          <SelectField
            label="État"
            hideLabel
            value={list.query.state ?? ''}
            options={states}
            onChange={({ currentTarget }) =>
              list.set({ state: (currentTarget.value || undefined) as Transfer['state'] | undefined })
            }
          />
        </search>
      )}
      <Table
        caption="Virements"
        columns={manages ? columns : columns.filter(({ key }) => key !== 'client')}
        rows={answer.data?.data ?? []}
        rowKey={({ id }) => id}
        actions={(row) => (
          <>
            <IconButton
              icon={FileDown}
              label={`Télécharger la facture pro forma ${row.reference}`}
              onClick={() => void saveProForma(row)}
            />
            {manages && (
              <IconButton
                icon={ListX}
                label={`Virements enregistrés pour ${row.reference}`}
                onClick={() => setLooked(row)}
              />
            )}
            {manages && (
              <IconButton
                icon={Landmark}
                label={`Enregistrer un virement pour ${row.reference}`}
                onClick={() => setRecorded(row)}
              />
            )}
            {row.isDeletable && (
              <IconButton
                icon={Trash2}
                label={`Supprimer la facture pro forma ${row.reference}`}
                onClick={() => setRemoved(row)}
              />
            )}
          </>
        )}
        {...table}
      />
      {pager}
      {looked && <ReceiptsDialog row={looked} onClose={() => setLooked(null)} />}
      {removed && <RemoveDialog row={removed} onClose={() => setRemoved(null)} />}
      {recorded && <RecordDialog row={recorded} onClose={() => setRecorded(null)} />}
    </>
  )
}

async function saveProForma({ id }: Transfer): Promise<void> {
  try {
    await download(transfers.pdf, { params: { id }, signal: new AbortController().signal }, () => undefined)
  } catch (error) {
    toast.error(messageOf(error), 'Erreur lors du téléchargement')
  }
}

function stateOf({ state, remaining, credit, currency }: Transfer): string {
  if (state === 'paid') return credit > 0 ? `Payé, crédit de ${formatMoney(credit, currency)}` : 'Payé'
  return state === 'partial' ? `Reste ${formatMoney(remaining, currency)}` : 'Attendu'
}

const states = [
  { value: '', label: 'Tous les états' },
  { value: 'waiting', label: 'Attendus' },
  { value: 'partial', label: 'Reçus en partie' },
  { value: 'paid', label: 'Payés' },
]

const columns = [
  {
    key: 'reference',
    header: 'Référence',
    cell: ({ reference }: Transfer) => <span className="whitespace-nowrap">{reference}</span>,
  },
  { key: 'client', header: 'Client', cell: ({ client }: Transfer) => client },
  { key: 'state', header: 'État', cell: stateOf },
  { key: 'plan', header: 'Plan', cell: ({ plan }: Transfer) => plan },
  { key: 'createdAt', header: 'Date', cell: ({ createdAt }: Transfer) => <DateTime value={createdAt} /> },
  {
    key: 'received',
    header: 'Reçu',
    align: 'end' as const,
    cell: ({ received, currency }: Transfer) => formatMoney(received, currency),
  },
  {
    key: 'amount',
    header: 'Montant',
    align: 'end' as const,
    cell: ({ amount, currency }: Transfer) => formatMoney(amount, currency),
  },
]
