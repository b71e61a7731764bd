import { show } from '../ui/app.tsx';
import { Workbench } from '../workbench.tsx';

show({
  page: 'convolve',
  tagline: 'One photo, one pipeline, one hash: the same integers on every machine.',
  content: (engine) => <Workbench engine={engine} />,
});
