import { useMutation, useQueryClient } from '@tanstack/react-query'
import { alerts } from '#features/alerts/alerts.contract.ts'
import { call } from '#web/api.ts'
import { useAction } from '#web/query.ts'

/** Marks all alerts as read. */
export function useMarkAllRead() {
  const setUnread = useSetUnread()
  return useAction(alerts.read, { onDone: setUnread })
}

/** Marks the alert that the user opens as read, without a message over the page that opens. */
export function useMarkRead() {
  const client = useQueryClient()
  const setUnread = useSetUnread()
  return useMutation({
    mutationFn: (id: number) => call(alerts.read, { body: { ids: [id] } }),
    onSuccess: (answer) => {
      setUnread(answer)
      for (const { path } of [alerts.list, alerts.events]) void client.invalidateQueries({ queryKey: [path] })
    },
  })
}

/** Tells the bell, which asks at its own interval only, how many alerts stay unread. */
function useSetUnread() {
  const client = useQueryClient()
  return ({ unread }: { unread: number }) => void client.setQueryData([alerts.unread.path], { unread })
}
