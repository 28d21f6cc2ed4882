import { useCanGoBack, useRouter } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'

/** To where one came from, filters and scroll kept; nowhere when the page was opened by its address. */
export function BackButton() {
  const router = useRouter()
  if (!useCanGoBack()) return null
  return (
    <Button variant="ghost" icon={ArrowLeft} className="-ml-4" onClick={() => router.history.back()}>
      Retour
    </Button>
  )
}
