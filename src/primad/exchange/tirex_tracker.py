"""To be written: tirex_tracker."""
