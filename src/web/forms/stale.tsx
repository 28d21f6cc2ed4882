import { RotateCw } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { ErrorNote } from '#web/ui/error-state.tsx'

/** Somebody else changed the same thing meanwhile: what was said, and the way to see the change. */
export function Stale({ refusal, onReload }: { refusal: string | null; onReload: () => void }) {
  return (
    <>
      <ErrorNote>{refusal}</ErrorNote>
      <Button icon={RotateCw} onClick={onReload}>
        Recharger
      </Button>
    </>
  )
}
