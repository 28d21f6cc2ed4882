import { buttonClass } from '#web/ui/button-class.ts'

/** The search field, for words such as « riz goma ». */
export function SearchForm({ text = '' }: { text?: string }) {
  return (
    <search>
      <form method="get" action="/recherche" className="flex gap-2">
        <input
          type="search"
          name="q"
          defaultValue={text}
          maxLength={100}
          aria-label="Un produit, un marché ou une ville"
          placeholder={'Par exemple\u00a0: riz goma'}
          className="h-control min-w-0 flex-1 rounded-md border border-line-strong bg-surface px-3 text-base"
        />
        <button type="submit" className={buttonClass('primary')}>
          Chercher
        </button>
      </form>
    </search>
  )
}
