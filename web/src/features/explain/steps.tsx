import type { ComponentChildren } from 'preact';
import { exactDecimal, shortDecimal } from '../../lib/q16.ts';
import type { Task } from '../../lib/task.ts';
import { convolve } from './arithmetic.ts';
import type { Explanation } from './explanation.ts';

/** Groups of three digits; a true minus sign. */
export const grouped = (v: number | bigint) => v.toString().replace('-', '−').replace(/\B(?=(\d{3})+$)/g, '\u202f');

function Step({ name, formula, children }: { name: string; formula?: ComponentChildren; children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd><span class="mono">{children}</span>{formula && <small>{formula}</small>}</dd>
    </>
  );
}

function Convolved({ conv }: { conv: ReturnType<typeof convolve> }) {
  const clamped = conv.rounded !== BigInt(conv.result);
  return (
    <>
      <Step name="exact sum" formula="of all products, in ℤ">{grouped(conv.sum)}</Step>
      <Step name="rounded" formula="R(Σ, 16) = ⌊(Σ + 2¹⁵) / 2¹⁶⌋">{grouped(conv.rounded)}</Step>
      <Step name="saturated" formula={clamped ? 'clamped into 32 bits' : 'fits 32 bits: unchanged'}>{grouped(conv.result)}</Step>
    </>
  );
}

const activationFormula = (a: Task['activation']) => (a.kind === 'leaky_relu' ? `x < 0: R(x · ${a.alpha}, 16), else x` : 'max(0, x)');

function Pooled({ pool, task }: { pool: NonNullable<Explanation['pool']>; task: Task }) {
  if (task.pool.kind === 'max') return <Step name="pooled" formula={`largest of ${pool.cut.values.length}`}>{grouped(pool.pooled.result)}</Step>;
  const n = pool.cut.values.length;
  return (
    <>
      <Step name="window sum">{grouped(pool.pooled.sum)}</Step>
      <Step name="pooled" formula={`Rdiv(Σ, ${n}) = ⌊(2Σ + ${n}) / ${2 * n}⌋`}>{grouped(pool.pooled.result)}</Step>
    </>
  );
}

/** From the products to the stored integer, a line for each rule of the law. */
export function Steps({ explanation: e }: { explanation: Explanation }) {
  const { task } = e;
  const equal = e.result === e.stored;
  return (
    <dl class="steps">
      <Convolved conv={e.conv} />
      {e.activation && <Step name="activated" formula={activationFormula(task.activation)}>{grouped(e.activation.result)}</Step>}
      {e.pool && <Pooled pool={e.pool} task={task} />}
      <dt>as a number</dt>
      <dd><span class="mono" title={exactDecimal(e.result)}>{shortDecimal(e.result, 8)}</span><small>÷ 65536</small></dd>
      <dt>engine holds</dt>
      <dd class={equal ? 'equal' : 'differs'}><span class="mono">{grouped(e.stored)}</span><small>{equal ? '✓ the same integer' : '✗ not the same'}</small></dd>
    </dl>
  );
}
