"""Controls, facts and drawings put together into live widgets."""
