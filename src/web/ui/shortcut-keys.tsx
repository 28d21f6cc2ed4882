import { shortcuts } from '#web/shortcuts.ts'

/** The list of keyboard shortcuts. */
export function ShortcutKeys() {
  return (
    <dl className="space-y-2">
      {shortcuts.map(({ keys, does }) => (
        <div key={keys} className="flex items-baseline justify-between gap-4">
          <dt>{does}</dt>
          <dd>
            <kbd className="rounded-md border border-line-strong bg-sunken px-2 py-0.5 font-sans text-xs whitespace-nowrap">
              {keys}
            </kbd>
          </dd>
        </div>
      ))}
    </dl>
  )
}
