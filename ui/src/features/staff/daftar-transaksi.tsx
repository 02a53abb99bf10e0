import { useNavigate } from 'react-router-dom';
import { TransactionList } from './transaction-list.tsx';

/** The outlet's list of transactions. */
export default function TransactionsScreen() {
	const navigate = useNavigate();
	return <TransactionList onLeave={() => navigate('/')} onHome={() => navigate('/staf')} />;
}
