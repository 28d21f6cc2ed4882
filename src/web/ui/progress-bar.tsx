type ProgressBarProps = {
  /** Accessible name of the operation: « Envoi de prix.csv ». */
  label: string
  /** Share done, from 0 to 1; null when unknown. */
  share: number | null
}

/** A progress bar. The figures must be written beside it. */
export function ProgressBar({ label, share }: ProgressBarProps) {
  return (
    <progress
      aria-label={label}
      value={share ?? undefined}
      className={`block h-2 w-full appearance-none overflow-hidden rounded-full border-0 bg-sunken [&::-moz-progress-bar]:bg-river-fill [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-river-fill ${share === null ? 'animate-skeleton [&::-webkit-progress-bar]:bg-river-fill' : ''}`}
    />
  )
}
