import { FileDown } from 'lucide-react'
import { useRef, useState } from 'react'
import {
  type Invoice,
  invoiceKinds,
  invoiceNoun,
  invoices,
  methodNames,
} from '#features/invoices/invoices.contract.ts'
import { BillingCard } from '#features/invoices/ui/billing-card.tsx'
import { optionsOf } from '#shared/options.ts'
import { messageOf } from '#web/api.ts'
import { type DeclaredFilter, filterBarOf } from '#web/crud/filters.tsx'
import { useList } from '#web/crud/list.tsx'
import { download } from '#web/download.ts'
import { ExportMenu } from '#web/export-menu.tsx'
import { formatMoney } from '#web/format.ts'
import { selectFilter } from '#web/forms/choice-filter.tsx'
import { currencyOptions } from '#web/forms/currencies.ts'
import { periodControls } from '#web/forms/day-filter.tsx'
import { useListState } from '#web/list-state.ts'
import { useMay } from '#web/session.ts'
import { IconButton } from '#web/ui/button.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { FilterBar } from '#web/ui/filter-bar.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { Table } from '#web/ui/table.tsx'
import { toast } from '#web/ui/toast.ts'

const filters: readonly DeclaredFilter[] = [
  { key: 'kind', label: 'Pièce', ...selectFilter(optionsOf(invoiceKinds), 'Toutes') },
  ...periodControls,
  { key: 'currency', label: 'Devise', isExtra: true, ...selectFilter(currencyOptions, 'Toutes') },
  { key: 'paymentMethod', label: 'Moyen', isExtra: true, ...selectFilter(optionsOf(methodNames), 'Tous') },
  // Chosen on the page of revenue.
  { key: 'plan', label: 'Plan' },
]
const listed = { name: 'invoices', query: invoices.list.query }

/** The user's own invoices and credit notes; for users who manage payments, all of them and the sales journal. */
export function InvoicesPage() {
  const manages = useMay()('payments.manage')
  const list = useListState(listed)
  const { answer, table, pager } = useList(list, {
    endpoint: invoices.list,
    noun: invoiceNoun,
    ownOrder: { key: 'issuedAt', direction: 'desc' },
    nothing: { text: 'Chaque paiement reçu aura ici sa facture, à télécharger en PDF.' },
    pager: 'plain',
  })
  return (
    <>
      <PageHeader
        title="Factures"
        description={
          manages
            ? 'Les factures des paiements reçus, et les avoirs de ceux qui ont été remboursés.'
            : 'Vos factures, et les avoirs de ce qui vous a été remboursé.'
        }
        actions={
          manages && (
            <ExportMenu endpoint={invoices.exportAll} label="Journal des ventes" query={list.query} />
          )
        }
      />
      {manages && (
        <FilterBar
          search={
            <SearchField
              label="Rechercher une facture"
              placeholder="Numéro ou client…"
              value={list.query.search ?? ''}
              onChange={(search) => list.set({ search: search || undefined })}
            />
          }
          {...filterBarOf(filters, list)}
          onReset={list.reset}
        />
      )}
      <Table
        caption="Factures"
        columns={manages ? [...columns.slice(0, 2), client, ...columns.slice(2)] : columns}
        rows={answer.data?.data ?? []}
        rowKey={({ id }) => id}
        actions={(row) => <DownloadPdf row={row} />}
        {...table}
      />
      {pager}
      {!manages && (
        <div className="mt-4">
          <BillingCard />
        </div>
      )}
    </>
  )
}

function DownloadPdf({ row }: { row: Invoice }) {
  const [isComing, setComing] = useState(false)
  const controller = useRef(new AbortController())
  const start = async () => {
    setComing(true)
    try {
      await download(
        invoices.pdf,
        { params: { id: row.id }, signal: controller.current.signal },
        () => undefined,
      )
    } catch (error) {
      toast.error(messageOf(error), 'Erreur lors du téléchargement')
    } finally {
      setComing(false)
    }
  }
  return (
    <IconButton
      icon={FileDown}
      label={`Télécharger ${row.kind === 'invoice' ? 'la facture' : 'l’avoir'} ${row.number}`}
      disabled={isComing}
      onClick={() => void start()}
    />
  )
}

const client = { key: 'client', header: 'Client', cell: ({ client }: Invoice) => client }
const columns = [
  { key: 'number', header: 'Numéro', card: 'title' as const, cell: ({ number }: Invoice) => number },
  { key: 'kind', header: 'Pièce', cell: ({ kind }: Invoice) => invoiceKinds[kind] },
  {
    key: 'issuedAt',
    header: 'Date',
    sortable: true,
    cell: ({ issuedAt }: Invoice) => <DateTime value={issuedAt} />,
  },
  { key: 'plan', header: 'Plan', cell: ({ plan }: Invoice) => plan ?? '–' },
  {
    key: 'amount',
    header: 'Montant',
    align: 'end' as const,
    sortable: true,
    cell: ({ kind, amount, currency }: Invoice) =>
      formatMoney(kind === 'credit_note' ? -amount : amount, currency),
  },
]
