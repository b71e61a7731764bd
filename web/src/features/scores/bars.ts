/** A bar from zero to its score, in parts of a track that has room for the scores and for zero. */
export interface Bar {
  readonly left: number;
  readonly width: number;
}

export function barsOf(scores: readonly number[]): Bar[] {
  const least = Math.min(0, ...scores), most = Math.max(0, ...scores);
  const span = most - least || 1;
  return scores.map((s) => ({ left: (Math.min(0, s) - least) / span, width: Math.abs(s) / span }));
}
