import type { ModelProblem } from 'bitexact';
import { Panel } from '../../ui/fields.tsx';

/** Everything that keeps a model from running. */
export function Problems({ problems }: { problems: readonly ModelProblem[] }) {
  const count = problems.length === 1 ? 'One reason' : `${problems.length} reasons`;
  return (
    <Panel title={`${count} why it cannot be run`} class="problems" data-testid="problems" note="Nodes are counted from 0, in the order of the file.">
      <ol>
        {problems.map(({ node, op, version, name, why }, i) => (
          <li key={i}>
            <strong class="mono">{op}</strong> <span class="note mono">version {version} · node {node}{name && ` · ${name}`}</span>
            <span class="why">{why}</span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
