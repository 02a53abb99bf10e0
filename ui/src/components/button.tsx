import type { ReactNode } from 'react';
import styles from './button.module.css';
import { Icon, type IconName } from './icon.tsx';

type ButtonProps = {
	children: ReactNode;
	onClick: () => void;
	kind?: 'primary' | 'secondary' | 'stop';
	icon?: IconName;
	disabled?: boolean;
	/** The action is running. The button is disabled and keeps its size. */
	busy?: boolean;
	className?: string | undefined;
};

/**
 * A button large enough for a finger. Only a touch that begins and ends inside the button presses
 * it.
 */
export function Button({ children, onClick, kind = 'secondary', icon, disabled = false, busy = false, className = '' }: ButtonProps) {
	return (
		<button
			type="button"
			className={`${styles.button} ${styles[kind]} ${className}`}
			onClick={onClick}
			disabled={disabled || busy}
			aria-busy={busy}
		>
			{icon && <Icon name={icon} />}
			<span>{children}</span>
		</button>
	);
}
