import { useQueryClient } from '@tanstack/react-query'
import { alerts } from '#features/alerts/alerts.contract.ts'
import { useAction } from '#web/query.ts'

/** Marks alerts as read, and tells the bell, which asks at its own interval only, how many stay unread. */
export function useMarkRead() {
  const client = useQueryClient()
  return useAction(alerts.read, {
    onDone: ({ unread }) => void client.setQueryData([alerts.unread.path], { unread }),
  })
}
