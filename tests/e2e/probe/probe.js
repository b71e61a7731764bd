// Keeps what a console would show, for a browser whose driver does not hand its console out.
window.e2eProblems = [];
const keep = (kind) => (event) => window.e2eProblems.push(`${kind}: ${event.message ?? event.reason ?? event.violatedDirective}`);
window.addEventListener('error', keep('error'));
window.addEventListener('unhandledrejection', keep('rejection'));
document.addEventListener('securitypolicyviolation', keep('policy'));
const original = console.error;
console.error = (...words) => {
  window.e2eProblems.push(`console: ${words.join(' ')}`);
  original(...words);
};
