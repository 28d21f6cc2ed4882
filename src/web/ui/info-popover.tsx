import { Info } from 'lucide-react'
import { memo, type ReactNode, useId, useRef } from 'react'
import { methodEdition } from '#shared/method.ts'
import { placeNear } from '#web/ui/place-near.ts'
import { TextLink } from '#web/ui/text-link.view.tsx'

type InfoPopoverProps = {
  label: string
  /** Address of the full definition of the figure. */
  definition?: string | undefined
  children: ReactNode
}

/** An « i » button that opens the definition of a figure. Escape or a click outside closes it. */
export const InfoPopover = memo(function InfoPopover({ label, definition, children }: InfoPopoverProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        aria-label={`Définition : ${label}`}
        className="relative inline-flex size-6 shrink-0 items-center justify-center rounded-full text-ink-soft after:absolute after:-inset-2.5 hover:text-river"
      >
        <Info className="size-4" aria-hidden />
      </button>
      <div
        id={id}
        popover="auto"
        role="note"
        onToggle={(event) => {
          if (event.newState === 'open' && button.current) placeNear(button.current, event.currentTarget)
        }}
        className="fixed inset-auto m-0 w-72 max-w-[calc(100vw-1rem)] rounded-md border border-line bg-surface px-4 py-3 text-sm font-normal tracking-normal whitespace-normal text-ink shadow-float"
      >
        {children}
        {definition && (
          <span className="mt-2 block">
            <TextLink href={definition}>Définition complète</TextLink>
            {`, ${methodEdition}`}
          </span>
        )}
      </div>
    </>
  )
})
