import { useState } from 'react'
import { type Report, type ReportBlock, reports } from '#features/reports/reports.contract.ts'
import { ApiError, call } from '#web/api.ts'
import { statementOf, useAction } from '#web/query.ts'
import { toast } from '#web/ui/toast.ts'
import { useUnsavedWork } from '#web/unsaved.ts'

/** What is typed of a report; `addresses` is one text, an address per line. */
export type ReportDraft = Pick<Report, 'title' | 'schedule'> & { blocks: ReportBlock[]; addresses: string }

/**
 * The form of a report: what is typed, over the version that was read. A newer version of the same report replaces the
 * parts that were not changed here.
 */
export function useReportDraft(report: Report) {
  const [read, setRead] = useState(report)
  const [draft, setDraft] = useState(draftOf(report))
  const save = useAction(reports.update)
  const isDirty = !isSame(draft, draftOf(read))
  // Another report of this page is another piece of work.
  const leaving = useUnsavedWork(isDirty, ({ pathname, search }) => pathname + JSON.stringify(search))
  const take = (newer: Report, before: ReportDraft) => {
    setRead(newer)
    setDraft((typed) => merged(before, draftOf(newer), typed))
  }
  if (report.updatedAt > read.updatedAt && !isDirty) take(report, draft)

  const recipients = draft.addresses.split(/[\s,;]+/).filter(Boolean)
  const { error } = save
  const isStale = error instanceof ApiError && error.status === 409 && error.faults.length === 0
  return {
    draft,
    isDirty,
    ...leaving,
    change: (part: Partial<ReportDraft>) => {
      // The refusal concerned other values.
      if (save.isError) save.reset()
      setDraft({ ...draft, ...part })
    },
    isSaving: save.isPending,
    save: () => {
      const { title, blocks, schedule } = draft
      const body = { title, blocks, schedule, recipients, updatedAt: read.updatedAt }
      save.mutate({ params: { id: report.id }, body }, { onSuccess: (saved) => take(saved, draft) })
    },
    refusal: error && statementOf(error),
    faults: faultsOf(error, recipients),
    /** Loads the version of another tab or user; null unless there is one. */
    reload: isStale
      ? () =>
          void call(reports.find, { params: { id: report.id } }).then(
            (fresh) => {
              save.reset()
              take(fresh, draftOf(read))
            },
            (failure) => toast.error(statementOf(failure)),
          )
      : null,
  }
}

/** Returns the error messages by field, those of blocks by index. The message of a refused address contains it. */
function faultsOf(error: unknown, recipients: readonly string[]) {
  const faults = error instanceof ApiError ? error.faults : []
  const messageAt = (start: string) => faults.find(({ field }) => field?.startsWith(start))?.message
  const addresses = faults.flatMap(({ field = '', message }) => {
    const [, at] = /^recipients(?:\.(\d+))?/.exec(field) ?? []
    if (!field.startsWith('recipients')) return []
    return [at === undefined ? message : `${recipients[Number(at)]}\u00a0: ${message}`]
  })
  return {
    title: messageAt('title'),
    blocks: messageAt('blocks') && !messageAt('blocks.') ? messageAt('blocks') : undefined,
    blockAt: (at: number) => messageAt(`blocks.${at}.`),
    addresses: addresses.length > 0 ? addresses.join('. ') : undefined,
  }
}

function draftOf({ title, blocks, schedule, recipients }: Report): ReportDraft {
  const wanted = recipients.filter(({ state }) => state !== 'left')
  // The cast is safe: a stored selection was validated by the schema of blocks.
  const typed = blocks as ReportBlock[]
  return { title, blocks: typed, schedule, addresses: wanted.map(({ email }) => email).join('\n') }
}

/** Returns the newer version, with the parts that were changed since the version before. */
function merged(before: ReportDraft, newer: ReportDraft, typed: ReportDraft): ReportDraft {
  const part = <Name extends keyof ReportDraft>(name: Name) =>
    isSame(before[name], typed[name]) ? newer[name] : typed[name]
  return {
    title: part('title'),
    blocks: part('blocks'),
    schedule: part('schedule'),
    addresses: part('addresses'),
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
