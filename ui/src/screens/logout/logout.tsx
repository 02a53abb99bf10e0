import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { leavePage } from '../../app/session-actions.ts';
import { useAppDispatch } from '../../app/store.ts';
import { ConnectingScreen } from '../connecting/connecting.tsx';

/**
 * Ends the session of this page and leads to /login. The outlet is logged out only behind the PIN.
 */
export default function LogoutScreen() {
	const dispatch = useAppDispatch();
	const navigate = useNavigate();
	useEffect(() => {
		void dispatch(leavePage()).then(() => navigate('/login', { replace: true }));
	}, [dispatch, navigate]);
	return <ConnectingScreen />;
}
