import { RotateCw } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { ErrorNote } from '#web/ui/error-state.tsx'

type RefusalProps = {
  refusal: string | null
  /** Given when somebody else changed the same thing meanwhile: the way to see the change. */
  onReload: (() => void) | null
}

/** What the server refused, after the fields. */
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

// A form sent with Enter from its first field may end far below the window.
function intoView(note: HTMLElement | null): void {
  note?.scrollIntoView({ block: 'nearest' })
}
