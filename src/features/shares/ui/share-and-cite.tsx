import { CiteButton } from '#features/shares/ui/cite-button.tsx'
import { ShareButton } from '#features/shares/ui/share-button.tsx'

type ShareAndCiteProps = {
  /** The subject of the figures: « Évolution du prix moyen, riz, Goma ». */
  title: string
  path: string
  /** The filters of the page: `a=b&c=d`. */
  search: string
}

/** Buttons beside a chart: a public link, and its citation. */
export function ShareAndCite({ title, path, search }: ShareAndCiteProps) {
  return (
    <div className="no-print flex flex-wrap">
      <ShareButton variant="ghost" path={path} search={search} text={`${title} (Ntalo)`} />
      <CiteButton variant="ghost" title={title} path={search ? `${path}?${search}` : path} />
    </div>
  )
}
