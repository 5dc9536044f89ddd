import { notice } from '../live/action.ts';
import { Button } from '../ui/buttons.tsx';

const dismiss = (): void => {
  notice.value = undefined;
};

/** Shows the result of the latest action. */
export const NoticeBar = () => {
  const { tone, text } = notice.value ?? {};
  return (
    <div class="notices" role="status">
      {text !== undefined && (
        <p key={tone} class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : undefined}>
          {text} {tone === 'bad' && <Button label="Dismiss" kind="quiet" onClick={dismiss} />}
        </p>
      )}
    </div>
  );
};
