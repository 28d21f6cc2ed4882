import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Import, importNoun, listImports } from '#features/imports/imports.contract.ts'
import { contentText, useImportKinds } from '#features/imports/ui/kinds.ts'
import { isActive, pauseBefore, stateOf } from '#features/imports/ui/states.ts'
import { UploadCard } from '#features/imports/ui/upload-card.tsx'
import { type ImportKind, importKind } from '#features/mappings/kinds.contract.ts'
import { SavedMappings } from '#features/mappings/ui/saved-mappings.tsx'
import { useList } from '#web/crud/list.tsx'
import { formatDateTime, formatNumber, formatRelativeTime, notAvailable } from '#web/format.ts'
import { useListState } from '#web/list-state.ts'
import { Badge } from '#web/ui/badge.tsx'
import type { Column } from '#web/ui/columns.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { Table } from '#web/ui/table.tsx'

const listed = {
  name: 'imports',
  query: listImports.query.extend({ kind: importKind.optional().catch(undefined) }),
}

/**
 * « Imports »: the form to send files, and the list of all imports by all users.
 *
 * @param templates link to a file to fill in, for the kinds that have one
 */
export function ImportsPage({ templates }: { templates: Partial<Record<ImportKind, ReactNode>> }) {
  const kinds = useImportKinds()
  const list = useListState(listed)
  const { kind = 'prices', ...query } = list.query
  // The file being sent does not filter the list.
  const { answer, table, pager } = useList(
    { ...list, isFiltered: false },
    {
      endpoint: listImports,
      ask: () => query,
      pauseMs: (data) => pauseBefore(data?.data),
      noun: importNoun,
      nothing: {
        text: 'Choisissez un fichier ci-dessus\u00a0: il est d’abord essayé à blanc, et rien n’est écrit sans votre accord.',
      },
      pager: 'plain',
    },
  )
  return (
    <>
      <PageHeader
        title="Imports"
        description="Les fichiers envoyés, ce qui en a été gardé, et ce qui peut encore être annulé."
      />
      <section aria-label="Envoyer un fichier" className="space-y-3">
        <div className="grid gap-3 sm:flex sm:items-center sm:justify-between">
          <Segmented
            label="Ce que contient le fichier"
            options={importKind.options.map((value) => ({ value, label: kinds[value].label }))}
            value={kind}
            onChange={(value) => list.set({ kind: value })}
          />
          {templates[kind]}
        </div>
        <UploadCard kind={kind} />
      </section>
      <Table
        {...table}
        caption="Imports"
        columns={columns}
        rows={answer.data?.data ?? []}
        rowKey={({ id }) => id}
        skeletonRows={5}
      />
      {pager}
      {kind === 'prices' && <SavedMappings />}
    </>
  )
}

const columns: readonly Column<Import>[] = [
  {
    key: 'fileName',
    header: 'Fichier',
    cell: ({ id, fileName }) => (
      <Link
        to="/prices/imports/$id"
        params={{ id: String(id) }}
        className="font-medium text-river wrap-anywhere hover:underline"
      >
        {fileName}
      </Link>
    ),
  },
  {
    key: 'state',
    header: 'État',
    cell: (row) => (
      <Badge tone={stateOf(row).tone} dot={isActive(row)}>
        {stateOf(row).label}
      </Badge>
    ),
  },
  { key: 'added', header: 'Contenu', cell: (row) => <Content row={row} /> },
  {
    key: 'rejected',
    header: 'Rejetées',
    align: 'end',
    cell: ({ report }) => (report ? formatNumber(report.rejected) : notAvailable),
  },
  { key: 'author', header: 'Envoyé par', cell: ({ author }) => author?.name ?? notAvailable },
  {
    key: 'createdAt',
    header: 'Envoyé',
    align: 'end',
    cell: ({ createdAt }) => (
      <time dateTime={createdAt} title={formatDateTime(createdAt)} className="whitespace-nowrap">
        {formatRelativeTime(createdAt)}
      </time>
    ),
  },
]

function Content({ row: { kind, state, report } }: { row: Import }) {
  const words = useImportKinds()[kind]
  return report && state !== 'failed' ? contentText(words, state, report) : notAvailable
}
