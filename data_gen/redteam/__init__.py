"""A customer-service system of three agents under attack: who presses how, who gives way, and what reaches the user."""
