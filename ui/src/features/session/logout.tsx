import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { ConnectingScreen } from '../../kiosk/connecting.tsx';
import { useAppDispatch } from '../../state/store.ts';
import { leavePage } from './session-actions.ts';

/**
 * Ends the session of this page and leads to /login. The outlet stays logged in; only staff can log
 * it out, after the PIN.
 */
export default function LogoutScreen() {
	const dispatch = useAppDispatch();
	const navigate = useNavigate();
	useEffect(() => {
		void dispatch(leavePage()).then(() => navigate('/login', { replace: true }));
	}, [dispatch, navigate]);
	return <ConnectingScreen />;
}
