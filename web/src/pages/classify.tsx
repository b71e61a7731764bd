import { Classifier } from '../classifier.tsx';
import { show } from '../ui/app.tsx';

show({
  page: 'classify',
  tagline: 'One network, one input, one receipt: every layer is an integer you can hash.',
  content: (engine) => <Classifier engine={engine} />,
});
