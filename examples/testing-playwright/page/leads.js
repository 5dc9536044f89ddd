// A page for the staff of one account, who type their own key. A page for the public calls a backend, which has the key.
const LEADS = 'https://api.example.com/api/v2/public/leads';

const form = document.querySelector('form');
const status = document.querySelector('[role=status]');
const list = document.querySelector('ul');

const call = async (key, init) => {
  const response = await fetch(LEADS, {
    ...init,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
  });
  const { data, error } = await response.json();
  if (!response.ok) {
    throw new Error(error);
  }
  return data;
};

const show = (leads) => {
  const items = leads.map(({ displayName, phone }) => {
    const item = document.createElement('li');
    item.textContent = `${displayName ?? 'No name'}, ${phone ?? 'no phone'}`;
    return item;
  });
  list.replaceChildren(...items);
};

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { key, phone, displayName } = Object.fromEntries(new FormData(form));
  try {
    await call(key, { method: 'POST', body: JSON.stringify({ phone, displayName: displayName || null }) });
    show(await call(key));
    status.textContent = 'Added.';
  } catch (error) {
    status.textContent = `Not added: ${error.message}. Try again.`;
  }
});
