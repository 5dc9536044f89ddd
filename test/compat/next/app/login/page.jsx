export default function Page() {
  return 'Who are you?';
}
