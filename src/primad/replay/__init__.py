"""Re-running a system: a bundle is unpacked, its steps run in a sandbox, its output is collected."""
