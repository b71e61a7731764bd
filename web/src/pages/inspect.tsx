import { Inspector } from '../inspector.tsx';
import { show } from '../ui/app.tsx';

show({
  page: 'inspect',
  tagline: 'What is in a network: its steps, their cost, and proof that no sum overflows.',
  content: (engine) => <Inspector engine={engine} />,
});
