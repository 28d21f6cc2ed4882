import { CiteButton } from '#features/shares/ui/cite-button.tsx'
import { ShareButton } from '#features/shares/ui/share-button.tsx'

type ShareAndCiteProps = {
  /** What the figures are about: « Évolution du prix moyen, riz, Goma ». */
  title: string
  path: string
  /** The filters of the page, `a=b&c=d`. */
  search: string
}

/** Beside a chart: an address that anybody reads, and how a text quotes it. */
export function ShareAndCite({ title, path, search }: ShareAndCiteProps) {
  return (
    <div className="no-print flex flex-wrap">
      <ShareButton variant="ghost" path={path} search={search} text={`${title} (Ntalo)`} />
      <CiteButton variant="ghost" title={title} path={search ? `${path}?${search}` : path} />
    </div>
  )
}
