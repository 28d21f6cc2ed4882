import { ShieldCheck, ShieldX } from 'lucide-react'
import { type JournalFault, journalCheck } from '#features/journal/journal.contract.ts'
import { formatCount, formatDateTime } from '#web/format.ts'
import { useAction, useAnswer } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'

const faults: Record<JournalFault, string> = {
  altered: 'a été modifiée',
  missing: 'a été supprimée',
  cut: 'manque dans la chaîne',
  unlinked: 'n’est pas dans la chaîne',
}

/** The result of the last check of the journal, and a button to check again. */
export function ChainLine() {
  const { data } = useAnswer(journalCheck.last, {}, { pauseMs: () => 10_000 })
  const ask = useAction(journalCheck.ask)
  const last = data?.last
  const Icon = last?.fault ? ShieldX : ShieldCheck
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-ink-soft">
      <p className={`flex min-w-0 items-start gap-2 ${last?.fault ? 'font-medium text-red' : ''}`}>
        <Icon className="mt-0.5 size-4 shrink-0" aria-hidden />
        <span className="wrap-anywhere">
          {data && (last ? sentenceOf(last) : 'Le journal n’a pas encore été vérifié.')}
        </span>
      </p>
      <Button busy={ask.isPending} onClick={() => ask.mutate({})}>
        Vérifier
      </Button>
    </div>
  )
}

type Check = { at: string; links: number; head: string; entryId: number | null; fault: JournalFault | null }

function sentenceOf({ at, links, head, entryId, fault }: Check): string {
  const when = `Vérifié le ${formatDateTime(at)}\u00a0: `
  if (fault) {
    const entry = entryId === null ? 'une entrée' : `l’entrée n°\u00a0${entryId}`
    return `${when}${entry} ${faults[fault]}.`
  }
  return `${when}${formatCount(links, 'entrée intacte', 'entrées intactes')}, empreinte ${head.slice(0, 16)}.`
}
