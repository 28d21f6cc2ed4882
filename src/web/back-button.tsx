import { useCanGoBack, useRouter } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'

type BackButtonProps = {
  /** Where to when the page was opened by its address: the list it belongs to. */
  list: string
}

/** To where one came from, filters and scroll kept. */
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
