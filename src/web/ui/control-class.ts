/** Classes of every text and choice control. */
export const controlClass =
  'h-control w-full min-w-0 rounded-md border border-line-strong bg-surface px-3 text-base text-ink sm:text-sm ' +
  'aria-invalid:border-red disabled:cursor-not-allowed disabled:bg-sunken disabled:text-ink-soft read-only:not-[select]:bg-sunken'
