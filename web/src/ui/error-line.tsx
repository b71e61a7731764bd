export function ErrorLine({ text }: { text: string }) {
  return (
    <p class="error" role="alert" data-testid="error">
      {text}
    </p>
  );
}
