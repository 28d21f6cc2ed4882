import { RotateCw } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { ErrorNote } from '#web/ui/error-state.tsx'

type RefusalProps = {
  refusal: string | null
  /** Loads the other user's change; null unless there was a concurrent change. */
  onReload: (() => void) | null
}

/** The server's refusal, shown after the fields. */
export function RefusalNote({ refusal, onReload }: RefusalProps) {
  if (refusal === null) return null
  return (
    <div ref={intoView} className="space-y-4">
      <ErrorNote>{refusal}</ErrorNote>
      {onReload && (
        <Button icon={RotateCw} onClick={onReload}>
          Recharger
        </Button>
      )}
    </div>
  )
}

// When the form is sent with Enter, its end may be outside the window.
function intoView(note: HTMLElement | null): void {
  note?.scrollIntoView({ block: 'nearest' })
}
