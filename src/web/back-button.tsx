import { useCanGoBack, useRouter } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'

type BackButtonProps = {
  /** Address of the list, used when the page was opened directly. */
  list: string
}

/** Goes back to the previous page, with its filters and scroll position. */
export function BackButton({ list }: BackButtonProps) {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  const leave = () => (canGoBack ? router.history.back() : void router.navigate({ to: list }))
  return (
    <Button variant="ghost" icon={ArrowLeft} className="-ml-4" onClick={leave}>
      Retour
    </Button>
  )
}
