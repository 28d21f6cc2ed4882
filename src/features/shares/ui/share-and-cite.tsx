import type { ChartAddress } from '#features/shares/shares.rules.ts'
import { CiteButton } from '#features/shares/ui/cite-button.tsx'
import { ShareButton } from '#features/shares/ui/share-button.tsx'

type ShareAndCiteProps = {
  /** The subject of the figures: « Évolution du prix moyen, riz, Goma ». */
  title: string
  address: ChartAddress
}

/** Buttons beside a chart: a public link, and its citation. */
export function ShareAndCite({ title, address }: ShareAndCiteProps) {
  const { path, search, publicSearch = search } = address
  return (
    <div className="no-print flex flex-wrap">
      <ShareButton variant="ghost" path={path} search={publicSearch} text={`${title} (Ntalo)`} />
      <CiteButton variant="ghost" title={title} path={search ? `${path}?${search}` : path} />
    </div>
  )
}
