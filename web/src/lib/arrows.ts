/** What an arrow key means on a grid. */
export const ARROW_STEPS: Readonly<Record<string, readonly [dy: number, dx: number]>> = {
  ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
};
