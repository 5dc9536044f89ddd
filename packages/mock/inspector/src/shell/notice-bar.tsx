import { notice } from '../live/action.ts';

/** What the latest action did, or why it failed. */
export const NoticeBar = () => {
  const { value } = notice;
  const dismiss = () => {
    notice.value = undefined;
  };
  return (
    <>
      <div class="notices" role="status">
        {value?.kind === 'done' && <p class="notice">{value.text}</p>}
      </div>
      <div class="notices" role="alert">
        {value?.kind === 'problem' && (
          <p class="notice bad">
            {value.text}{' '}
            <button type="button" class="quiet" onClick={dismiss}>
              Dismiss
            </button>
          </p>
        )}
      </div>
    </>
  );
};
