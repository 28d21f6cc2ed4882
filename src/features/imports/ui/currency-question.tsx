import { type CurrencyMap, checkImport, type Import } from '#features/imports/imports.contract.ts'
import { formatCount } from '#web/format.ts'
import { useAction } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'

const explanation =
  'Seuls les francs congolais (CDF) et les dollars (USD) sont gardés. Lire une devise comme une autre ne convertit pas les montants\u00a0: faites-le quand le fichier nomme mal la sienne, comme dans des marchés de frontière.'

/** Offers to read an unknown currency as CDF: some files call the franc of border markets XAF. */
export function CurrencyQuestion({ row }: { row: Import }) {
  const check = useAction(checkImport)
  const currencies = row.report?.currencies ?? []
  const mapped = Object.entries(row.currencyMap)
  if (row.state !== 'checked' || (currencies.length === 0 && mapped.length === 0)) return null
  const ask = (currencyMap: CurrencyMap) => check.mutate({ params: { id: row.id }, body: { currencyMap } })
  return (
    <Card title="Devises" description={explanation}>
      <ul className="space-y-3">
        {currencies.map(({ code, count }) => (
          <li key={code} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <span>{`${formatCount(count, 'ligne', 'lignes')} en ${code}`}</span>
            <Button disabled={check.isPending} onClick={() => ask({ ...row.currencyMap, [code]: 'CDF' })}>
              {`Lire ${code} comme CDF`}
            </Button>
          </li>
        ))}
        {mapped.map(([code, to]) => (
          <li key={code} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <span>{`${code} est lu comme ${to}`}</span>
            <Button
              disabled={check.isPending}
              onClick={() => ask(Object.fromEntries(mapped.filter(([other]) => other !== code)))}
            >
              {`Ne plus lire ${code} comme ${to}`}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
