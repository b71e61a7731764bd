import { useEffect, useRef, useState } from 'preact/hooks';

/** Whether an element is on the screen, or nearly. */
export function useVisible<E extends Element>() {
  const element = useRef<E>(null);
  const [visible, setVisible] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver((entries) => setVisible(entries.at(-1)!.isIntersecting), { rootMargin: '200px' });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return { element, visible };
}
