import './base.css';
import { createRoot } from 'react-dom/client';
import { Provider } from 'react-redux';
import { Boot } from './app/boot.tsx';
import { ErrorBoundary } from './kiosk/error-boundary.tsx';
import { disableGestures } from './kiosk/kiosk-manners.ts';
import { createSound, playCues } from './kiosk/sound.ts';
import { lateApi } from './lib/late-api.ts';
import { createLive } from './lib/live.ts';
import { readSession } from './lib/session-cookie.ts';
import { loggedIn } from './state/session.ts';
import { makeStore } from './state/store.ts';

const store = makeStore(lateApi, createLive());
const session = readSession();
if (session !== null) store.dispatch(loggedIn(session));
disableGestures();
playCues(store, createSound(globalThis.AudioContext));

const place = document.getElementById('root');
if (place === null) throw new Error('index.html has no #root');
createRoot(place).render(
	<Provider store={store}>
		<ErrorBoundary>
			<Boot />
		</ErrorBoundary>
	</Provider>,
);
