import { notice } from '../live/action.ts';

/** What the latest action did, or why it failed. */
export const NoticeBar = () => {
  const { kind, text } = notice.value ?? {};
  return (
    <div class="notices" role="status">
      {kind === 'done' && <p class="notice good">{text}</p>}
      {kind === 'problem' && (
        <p class="notice bad" role="alert">
          {text}{' '}
          <button
            type="button"
            class="quiet"
            onClick={() => {
              notice.value = undefined;
            }}
          >
            Dismiss
          </button>
        </p>
      )}
    </div>
  );
};
