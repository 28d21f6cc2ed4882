import { Star } from 'lucide-react'
import { followAddresses } from '#features/follows/follows.addresses.ts'
import type { follows } from '#features/follows/follows.contract.ts'
import { useAction, useAnswer } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'

type Followed = { productId: number | null; marketId: number | null }

/** Follows a series, a product or a market with one tap, and unfollows it with another. */
export function FollowButton({ productId, marketId }: Followed) {
  const list = useAnswer<typeof follows.list>(followAddresses.list, {})
  const follow = useAction<typeof follows.create>(followAddresses.create)
  const leave = useAction<typeof follows.remove>(followAddresses.remove)
  const own = list.data?.data.find((each) => each.productId === productId && each.marketId === marketId)
  return (
    <Button
      variant={own ? 'secondary' : 'primary'}
      icon={Star}
      aria-pressed={own !== undefined}
      busy={list.isPending || follow.isPending || leave.isPending}
      onClick={() =>
        own ? leave.mutate({ params: { id: own.id } }) : follow.mutate({ body: { productId, marketId } })
      }
    >
      {own ? 'Suivi' : 'Suivre'}
    </Button>
  )
}
